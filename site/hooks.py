# SPDX-License-Identifier: Apache-2.0
"""What MkDocs is told beside its settings: the pages of the repository that are not in docs/, and where links to them go.
On a page links stay as they are on disk, so that they work in the repository, too."""
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
# In the repository: on the site.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
         "examples/digits/README.md": "digits.md"}
FOLDERS = {"examples/digits": "digits.md"}  # a folder is its README
FILES = {"LICENSE": "LICENSE.txt"}
LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[)#])")


def site_path(path):
    """Where a path of the repository is on the site."""
    if path.startswith("docs/"):
        return path[len("docs/"):]
    return {**PAGES, **FOLDERS, **FILES}.get(path, path)


def in_repository(page):
    return {site: path for path, site in PAGES.items()}.get(page, "docs/" + page)


def linked_files(config):
    """Files outside of docs/ that pages link to, such as figures of benchmarks."""
    for page in Path(config.docs_dir).rglob("*.md"):
        here = posixpath.join("docs", page.relative_to(config.docs_dir).parent.as_posix())
        for link in LINK.findall(page.read_text()):
            path = posixpath.normpath(posixpath.join(here, link))
            if site_path(path) == path and (ROOT / path).is_file():
                yield path


def on_files(files, config):
    for path, site in {**PAGES, **FILES, **{p: p for p in linked_files(config)}}.items():
        files.append(File.generated(config, site, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]  # it would be this page alone
    here = posixpath.dirname(in_repository(page.file.src_uri))
    there = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        path = posixpath.normpath(posixpath.join(here, match[1]))
        return posixpath.relpath(site_path(path), there or ".")

    # Code is left alone: x](y) there is no link.
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    parts[::2] = [LINK.sub(rewritten, part) for part in parts[::2]]
    return re.sub(r"^<!--.*?-->\n", "", "".join(parts), flags=re.M | re.S)
