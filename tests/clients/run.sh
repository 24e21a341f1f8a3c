#!/bin/sh
# Builds a client library of another language against the library just built,
# and runs a program of ours on it, and the example in that language.
#
#   run.sh LANGUAGE BINARY_DIR    LANGUAGE: rust, go or python
#
# Exit code 77: the language is not here or too old, or its registry cannot be
# reached.
#
# The client comes from its registry (crates.io, the Go module proxy), through
# the language's own tool; what was downloaded and built stays in
# BINARY_DIR/clients. Python has the C interface through its own ctypes.
set -eu

language=$1
binary_dir=$(cd "$2" && pwd)
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
  cp -r "$here/../../examples/rust" "$work/example"
  cp "$work/source/Cargo.lock" "$work/example"
  (cd "$work/example" && cargo build --quiet --offline)
  example=$kept/target/debug/example
  transactions=$kept/target/debug/transactions
}

go_client() {
  need go 1.21 "$(go env GOVERSION 2>/dev/null | sed 's/^go//')"
  export CGO_CFLAGS="-I$prefix/include" CGO_LDFLAGS="-L$libdir -lrocksdb"
  cp -r "$here/go" "$work/source"
  (cd "$work/source" && go mod tidy) || unreachable "the Go module proxy"
  (cd "$work/source" && go build -o "$work/client")
  program=$work/client
  cp -r "$here/../../examples/go" "$work/example"
  cp "$work/source/go.sum" "$work/example"
  (cd "$work/example" && go mod tidy) || unreachable "the Go module proxy"
  (cd "$work/example" && go build -o "$work/example-program")
  example=$work/example-program
  (cd "$work/example" && go build -o "$work/transactions" ./transactions)
  transactions=$work/transactions
}

# Loads the library while it runs, as a plug-in would.
python() {
  need python3 3.8 "$(python3 --version 2>/dev/null | cut -d' ' -f2)"
  # shellcheck disable=SC2046
  python3 "$here/python/client.py" "$libdir/librocksdb.so" "$work/db" \
    $(golden)
  exit 0
}

case $language in
  rust) rust ;;
  go) go_client ;;
  python) python ;;
  *) echo "run.sh: no such language: $language" >&2 && exit 2 ;;
esac

# Not some other RocksDB of the machine.
ldd "$program" | grep -q "librocksdb.*$libdir" ||
  { ldd "$program"; echo "$language: another librocksdb is linked"; exit 1; }
# shellcheck disable=SC2046
"$program" "$work/db" $(golden)
said=$("$example" "$work/example-db")
[ "$said" = "sand = quartz
stone = basalt" ] || { echo "$language: the example says: $said"; exit 1; }
said=$("$transactions" "$work/transactions-db")
[ "$said" = "checking = 70
savings = 30" ] || { echo "$language: of transactions: $said"; exit 1; }
