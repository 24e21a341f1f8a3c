#!/bin/sh
# Builds our db_bench, kvdump and db_stress against the RocksDB that the machine has
# installed (Debian: librocksdb-dev, libgflags-dev, codecs; libxxhash-dev if wanted).
#
# usage: build_db_bench.sh OUT_DIR
#
# Leaves them in OUT_DIR under names that end in _stock. Our own headers are
# not on the include path.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 OUT_DIR" >&2
  exit 1
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1
cxx=${CXX:-g++}
flags="-std=c++20 -O2 -DNDEBUG -Wall -Wextra -I$root"
codecs="-DSNAPPY=1 -DLZ4=1 -DZSTD=1 -DZLIB=1"
libraries="-lrocksdb -lgflags -lsnappy -llz4 -lzstd -lz -lpthread"
mkdir -p "$out/stock_objects"

# The tree has a header of the same name, for where the library is missing.
if printf '#include <xxhash.h>\nint main() { return XXH32("", 0, 0) == 0; }\n' |
    $cxx -x c++ - -o "$out/stock_objects/probe" -lxxhash 2>/dev/null; then
  libraries="$libraries -lxxhash"
else
  flags="$flags -I$root/util/xxhash"
fi

# Compiles the folder $2 and links it as $out/$1_stock.
build() {
  objects=""
  for source in "$root/$2"/*.cc; do
    object="$out/stock_objects/$1_$(basename "$source" .cc).o"
    if [ ! -e "$object" ] || [ -n "$(find "$root/$2" \
        -newer "$object" -name '*.h')" ] || [ "$source" -nt "$object" ]; then
      echo "  $1/$(basename "$source")"
      # Word splitting is meant: each variable is a list of flags.
      # shellcheck disable=SC2086
      $cxx $flags $codecs -c "$source" -o "$object"
    fi
    objects="$objects $object"
  done
  # shellcheck disable=SC2086
  $cxx -o "$out/$1_stock" $objects $libraries
}

build db_bench tools/db_bench
build kvdump tools/kvdump
build db_stress db_stress_tool
