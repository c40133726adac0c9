"""The generated parts of the documentation are what their tables say now, and the README's code runs."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from training.docs import PAGES, ROOT, generated


@pytest.mark.parametrize("page", PAGES)
def test_generated_parts_are_fresh(page):
    assert (ROOT / page).read_text(encoding="utf-8") == generated(page), "run: make docs"


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL))
def test_the_readme_examples_run(code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_link_of_the_readme_leads_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target
