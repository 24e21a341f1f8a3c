"""What a program built with gflags says about itself."""

import re
import subprocess
import xml.etree.ElementTree


OWN_FILE = re.compile(r"tools/(db|c)_bench")


class ProgramError(Exception):
    """A program that cannot be asked, in words for the user."""


def known_flags(path):
    """The flags that a db_bench knows, with their defaults."""
    try:
        done = subprocess.run([path, "--helpxml"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise ProgramError(f"{path}: {error.strerror}") from error
    try:
        tree = xml.etree.ElementTree.fromstring(done.stdout)
    except xml.etree.ElementTree.ParseError as error:
        raise ProgramError(f"{path} --helpxml: {error}") from error
    flags = {}
    for flag in tree.iter("flag"):
        # Others belong to gflags, or to tools inside the stock library.
        if OWN_FILE.search(flag.findtext("file") or ""):
            flags[flag.findtext("name")] = flag.findtext("default") or ""
    return flags
