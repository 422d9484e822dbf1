"""The site leads everywhere, and its reference leaves no public name out. (``make docs`` builds it; a warning is an error.)"""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest
import yaml

import suffice

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
PROSE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def in_nav(entry):
    """The pages below an entry of the navigation."""
    if isinstance(entry, str):
        return [entry]
    return [page for below in (entry.values() if isinstance(entry, dict) else entry) for page in in_nav(below)]


def test_every_page_is_in_the_navigation_once():
    settings = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text())
    assert sorted(in_nav(settings["nav"])) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


def test_nothing_is_fetched_from_elsewhere():
    settings = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text())
    assert settings["theme"]["font"] is False
    for asset in settings["extra_css"]:
        assert "http" not in (DOCS / asset).read_text()
    for asset in settings["extra_javascript"]:
        assert "http" not in (DOCS / asset).read_text().replace("http://www.w3.org/2000/svg", "")


def anchors(page):
    """The names of its headings, as the site makes them."""
    headings = re.findall(r"^#+ (.+)$", PROSE.sub(lambda code: code[0].strip("`"), page.read_text()), re.M)
    given = {found[1] for heading in headings if (found := re.search(r"\{ #(\w+) \}$", heading))}
    return given | {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_links_and_pictures_are_there(page):
    for link in LINK.findall(PROSE.sub("", page.read_text())):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), link
        if anchor:
            assert anchor in anchors(target), link


def public_names():
    """Every name that is promised, with what it stands for: those of the package, and those of its public modules."""
    for name in suffice._LAZY_IMPORTS:
        yield f"suffice.{name}", getattr(suffice, name)
    for place in (*suffice._MODULES, "text.mail"):
        module = importlib.import_module(f"suffice.{place}")
        yield from ((f"suffice.{place}.{name}", getattr(module, name)) for name in module.__all__)


def is_documented(thing):
    """Whether it has words of its own: not those that Python makes up for a dataclass, nor those of another's class."""
    return bool(thing.__doc__) and not thing.__doc__.startswith(f"{thing.__name__}(")


def own_methods(thing):
    """The public methods and properties that classes of this package give it, by name."""
    for name, member in inspect.getmembers_static(thing):
        code = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        if inspect.isfunction(code) and not name.startswith("_") and code.__module__.startswith("suffice"):
            yield name, getattr(thing, name, member)


DIRECTIVES = re.findall(r"^::: (\S+)", "\n".join(page.read_text() for page in (DOCS / "reference").glob("*.md")), re.M)


def test_reference_names_what_exists_and_nothing_twice():
    assert len(set(DIRECTIVES)) == len(DIRECTIVES)
    for name in DIRECTIVES:  # of a function and a module of one name, the site would show the module
        assert not inspect.ismodule(resolve_name(name)), name


NAMES = dict(public_names())


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_in_the_reference_and_documented(name):
    thing = NAMES[name]
    if isinstance(thing, str):
        assert name in DIRECTIVES
        return
    assert any(resolve_name(entry) is thing for entry in DIRECTIVES)
    assert is_documented(thing)
    if inspect.isclass(thing):
        bare = [method for method, member in own_methods(thing) if not inspect.getdoc(member)]
        assert not bare


@pytest.mark.slow
def test_site_is_built_without_a_warning_and_fetches_nothing(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) == len(PAGES) + 2  # and those for what is not found and to try a model on
    for page in pages:
        assert not re.search(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["']?https?:""", page.read_text()), page
