"""Versions of the package for `portable` and `booted`, made from the one that is tried."""
import re
import subprocess
import tempfile
from pathlib import Path


def architecture():
    return subprocess.run(['dpkg', '--print-architecture'], check=True, capture_output=True, text=True).stdout.strip()


def repack(package, to, version, change):
    """The package as another version, after something was changed in its folder."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['dpkg-deb', '--raw-extract', str(package), folder], check=True)
        control = Path(folder) / 'DEBIAN/control'
        control.write_text(re.sub('(?m)^Version: .*$', f'Version: {version}', control.read_text()))
        change(Path(folder))
        subprocess.run(['dpkg-deb', '--root-owner-group', '-Znone', '--build', folder, str(to)], check=True, stdout=subprocess.DEVNULL)


def change_example(folder):
    example = folder / 'usr/share/schoolhouse/config.example.toml'
    example.write_text('# a newer one\n' + example.read_text())


def own_configuration(folder):
    """As before 0.3.0: dpkg owned the configuration, and asked about it."""
    config = folder / 'etc/schoolhouse/config.toml'
    config.parent.mkdir(parents=True)
    config.write_text('# an older one\n' + (folder / 'usr/share/schoolhouse/config.example.toml').read_text())
    (folder / 'usr/share/schoolhouse/config.example.toml').unlink()
    (folder / 'DEBIAN/conffiles').write_text('/etc/schoolhouse/config.toml\n')
