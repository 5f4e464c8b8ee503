# SPDX-License-Identifier: Apache-2.0
"""scripts/bench: runs the C++ programs of this folder and the Python peers in turns, case by case, and reports."""
