#!/bin/sh
# run.sh PROGRAM [argument...]: runs it over a fresh directory, which is its
# last argument.
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/basalt-c-XXXXXX")
trap 'rm -rf "$work"' EXIT
"$@" "$work"
