from importlib.metadata import distribution


def test_the_package_carries_its_license():
    package = distribution("suffice")
    assert package.metadata["License-Expression"] == "MIT"
    assert package.metadata.get_all("License-File") == ["LICENSE"]
    assert "Copyright (c) 2026 The Suffice authors" in package.read_text("licenses/LICENSE")
