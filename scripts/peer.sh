#!/bin/sh
# Fetches RocksDB's Java library from Maven's repository, which has the engine
# and its C interface, and builds c_bench over it: a peer to measure beside.
#
# usage: peer.sh OUT_DIR [VERSION]
#
# Leaves c_bench_peer and the library in OUT_DIR. Exit status 77: the library is
# not to be had.
set -eu

if [ $# -lt 1 ]; then
  echo "usage: $0 OUT_DIR [VERSION]" >&2
  exit 1
fi
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
version=${2:-11.8.1}
library=librocksdbjni-linux64.so
jar=$(readlink -f ~)/.m2/repository/org/rocksdb/rocksdbjni/$version/rocksdbjni-$version.jar

if [ ! -f "$jar" ]; then
  command -v mvn >/dev/null || exit 77
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get \
    -Dartifact="org.rocksdb:rocksdbjni:$version" -Dtransitive=false || exit 77
fi

mkdir -p "$out"
if [ ! -f "$out/$library" ] || [ "$jar" -nt "$out/$library" ]; then
  python3 -c 'import sys, zipfile
zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])' \
    "$jar" "$library" "$out"
fi
"${CXX:-g++}" -std=c++20 -O2 -DNDEBUG -I"$root" -I"$root/include" \
  "$root"/tools/c_bench/*.cc -L"$out" -l:"$library" -Wl,-rpath,"\$ORIGIN" \
  -lpthread -lm -o "$out/c_bench_peer"
echo "$out/c_bench_peer: RocksDB $version"
