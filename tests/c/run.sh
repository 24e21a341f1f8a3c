#!/bin/sh
# Runs the C program over a fresh directory.
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/basalt-c-XXXXXX")
trap 'rm -rf "$work"' EXIT
"$1" "$work"
