#!/bin/sh
# The demo: a database that stock RocksDB wrote, under Basalt, buffered and
# with direct compaction I/O; then read back by stock RocksDB's tools.
#
# usage: demo.sh [option of demo.py]...
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null; then
  echo "demo: python3 is missing; run: make deps" >&2
  exit 1
fi
exec python3 "$root/scripts/demo.py" "$@"
