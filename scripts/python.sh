#!/bin/sh
# Runs the Python that has matplotlib and numpy. Debian's packages of them
# belong to Debian's Python, which need not be the first on the path.
#
# usage: python.sh [argument of python3]...
set -eu

for python in "${PYTHON:-python3}" /usr/bin/python3; do
  if "$python" -c 'import matplotlib, numpy' 2>/dev/null; then
    exec "$python" "$@"
  fi
done
echo "python.sh: no Python with matplotlib and numpy is here; run: make deps" \
  >&2
exit 1
