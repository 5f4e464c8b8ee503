# SPDX-License-Identifier: Apache-2.0
"""Random programs of the library compared with numpy. docs/testing.md says how to run them."""
