#!/bin/sh
# Builds a client library of another language against the library just built,
# and runs a program of ours on it.
#
#   run.sh LANGUAGE BINARY_DIR    LANGUAGE: rust or go
#
# Exit code 77: the language is not here or too old, or its registry cannot be
# reached.
#
# The client comes from its registry (crates.io, the Go module proxy), through
# the language's own tool; what was downloaded and built stays in
# BINARY_DIR/clients.
set -eu

language=$1
binary_dir=$2
here=$(cd "$(dirname "$0")" && pwd)
kept=$binary_dir/clients/$language
mkdir -p "$kept"

# On the file system of the build, since memory has no direct I/O.
work=$(mktemp -d "$kept/run-XXXXXX")
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$binary_dir" --prefix "$prefix" >"$work/log" ||
  { cat "$work/log"; exit 1; }
libdir=$(dirname "$(find "$prefix" -name librocksdb.so)")
export LD_LIBRARY_PATH="$libdir"

# The golden database, and how many keys it has, where it is at hand.
golden() {
  archive=$here/../../../shared/golden/golden-r119.tar.xz
  [ -f "$archive" ] || return 0
  name=r119_default
  tar -xJf "$archive" -C "$work" "golden/$name" "golden/$name.expected.tsv"
  list=$work/golden/$name.expected.tsv
  echo "$work/golden/$name $(grep -c "^default	" "$list")" \
    "$(grep -c "^second cf	" "$list")"
}

# Exits with 77, for "nothing to run here", unless `tool` has that version.
need() {
  tool=$1
  least=$2
  has=$3
  if [ "$(printf '%s\n' "$least" "$has" | sort -V | head -n 1)" != "$least" ]
  then
    echo "$tool: ${has:-not here}, $least is needed"
    exit 77
  fi
}

unreachable() {
  echo "$1 cannot be reached"
  exit 77
}

rust() {
  need cargo 1.81 "$(cargo --version 2>/dev/null | cut -d' ' -f2)"
  # The crate reads the header with libclang.
  LIBCLANG_PATH=${LIBCLANG_PATH:-/usr/lib/llvm-16/lib}
  export LIBCLANG_PATH
  export ROCKSDB_LIB_DIR="$libdir" ROCKSDB_INCLUDE_DIR="$prefix/include"
  export CARGO_TARGET_DIR="$kept/target"
  cp -r "$here/rust" "$work/source"
  (cd "$work/source" && cargo fetch --quiet) || unreachable crates.io
  (cd "$work/source" && cargo build --quiet --offline)
  program=$kept/target/debug/client
}

go_client() {
  need go 1.21 "$(go env GOVERSION 2>/dev/null | sed 's/^go//')"
  export CGO_CFLAGS="-I$prefix/include" CGO_LDFLAGS="-L$libdir -lrocksdb"
  cp -r "$here/go" "$work/source"
  (cd "$work/source" && go mod tidy) || unreachable "the Go module proxy"
  (cd "$work/source" && go build -o "$work/client")
  program=$work/client
}

case $language in
  rust) rust ;;
  go) go_client ;;
  *) echo "run.sh: no such language: $language" >&2 && exit 2 ;;
esac

# Not some other RocksDB of the machine.
ldd "$program" | grep -q "librocksdb.*$libdir" ||
  { ldd "$program"; echo "$language: another librocksdb is linked"; exit 1; }
# shellcheck disable=SC2046
"$program" "$work/db" $(golden)
