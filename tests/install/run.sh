#!/bin/sh
# Builds an outside program against the library in one of the ways in which
# applications take it, and runs it.
#
#   run.sh WAY BINARY_DIR    WAY: pkg-config, package, subdirectory, parent
#                            or make
#
# BINARY_DIR is a finished build of Basalt; its installation goes to a
# directory that is thrown away afterwards.
set -eu

way=$1
binary_dir=$2
here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)

work=$(mktemp -d "${TMPDIR:-/tmp}/basalt-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

install_it() {
  cmake --install "$binary_dir" --prefix "$prefix" >"$work/log" ||
    { cat "$work/log"; exit 1; }
  libdir=$(dirname "$(find "$prefix" -name librocksdb.a)")
}

# Major and minor, as the header says.
release=$(sed -n -E 's/^#define ROCKSDB_(MAJOR|MINOR) ([0-9]+)$/\2/p' \
  "$source_dir/include/rocksdb/version.h" | paste -sd.)

try() {
  name=$1
  shift
  version=$("$@" "$work/db-$name")
  case $version in
    "$release".*) echo "$name: $version" ;;
    *) echo "$name: says version '$version'" && exit 1 ;;
  esac
}

# The program must use the library just installed, and no other.
uses_shared_library() {
  ldd "$1" | grep -qF "$2/librocksdb.so.$release "
}

by_pkg_config() {
  install_it
  PKG_CONFIG_PATH=$libdir/pkgconfig
  export PKG_CONFIG_PATH
  cflags="$(pkg-config --cflags rocksdb) -std=c++17 -Wall -Wextra -Wshadow"
  cflags="$cflags -Werror ${BASALT_OUTSIDE_FLAGS:-}"

  # shellcheck disable=SC2046,SC2086
  ${CXX:-c++} $cflags "$here/outside.cc" $(pkg-config --libs rocksdb) \
    "-Wl,-rpath,$libdir" -o "$work/shared"
  uses_shared_library "$work/shared" "$libdir"
  try shared "$work/shared"
  try_readme

  static_libs=$(pkg-config --libs --static rocksdb |
    sed 's/-lrocksdb\>/-l:librocksdb.a/')
  # shellcheck disable=SC2086
  ${CXX:-c++} $cflags "$here/outside.cc" $static_libs -o "$work/static"
  if ldd "$work/static" | grep librocksdb; then exit 1; fi
  try static "$work/static"
}

# The README's program, as pasted. Where the file system has no direct I/O,
# opening the database must say so.
try_readme() {
  sed -n '/^```cpp$/,/^```$/p' "$source_dir/README.md" | grep -v '^```' \
    >"$work/example.cc"
  # shellcheck disable=SC2046,SC2086
  ${CXX:-c++} $cflags "$work/example.cc" $(pkg-config --libs rocksdb) \
    "-Wl,-rpath,$libdir" -o "$work/example"
  said=$(cd "$work" && ./example)
  if dd if=/dev/zero of="$work/probe" bs=4096 count=1 oflag=direct 2>/dev/null
  then
    [ "$said" = "stone = basalt
OK" ] || { echo "README: $said"; exit 1; }
  else
    case $said in
      *O_DIRECT* | *direct*) echo "README: no direct I/O here: $said" ;;
      *) echo "README: $said" && exit 1 ;;
    esac
  fi
}

configure_and_build() {
  { cmake -S "$here" -B "$work/build" -G Ninja -DWAY="$way" \
      ${CXX:+-DCMAKE_CXX_COMPILER="$CXX"} \
      -DCMAKE_CXX_FLAGS="${BASALT_OUTSIDE_FLAGS:-}" "$@" &&
    cmake --build "$work/build"; } >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
}

by_package() {
  install_it
  configure_and_build -DCMAKE_PREFIX_PATH="$prefix"
  uses_shared_library "$work/build/outside_shared" "$libdir"
  try package "$work/build/outside"
  try package-shared "$work/build/outside_shared"
}

# The whole library once more, in the ways that are quickest, and with our own
# hashes, which no other build has where the xxhash library is installed.
by_subdirectory() {
  configure_and_build -DBASALT_SOURCE="$source_dir" -DWITH_XXHASH=OFF \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
    -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
  try subdirectory "$work/build/outside"
  "$work/build/lion_user"
}

# A project with libraries of its own; it is configured, and not built.
by_parent() {
  cmake -S "$here/parent" -B "$work/build" -G Ninja \
    ${CXX:+-DCMAKE_CXX_COMPILER="$CXX"} -DBASALT_SOURCE="$source_dir" \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

# The Makefile's targets of RocksDB's names, over what is built already.
make_it() {
  env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES make --no-print-directory \
    -C "$source_dir" USER_BUILD="$binary_dir" USER_OUT="$work" \
    PREFIX="$prefix" "$@"
}
installed() { find "$prefix" -name "$1" | grep -q .; }

by_make() {
  make_it USER_CONFIGURE=: install-static >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  [ "$work/librocksdb.a" -ef "$binary_dir/librocksdb.a" ]
  installed librocksdb.a
  installed c.h
  if installed "librocksdb.so*"; then exit 1; fi
  make_it USER_CONFIGURE=: uninstall
  if installed "*.a" || installed "*.h" || installed "*.cmake"; then exit 1; fi

  # The package has the one library that was installed.
  make_it USER_CONFIGURE=: install-shared >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  [ -e "$work/librocksdb.so.$release" ]
  if installed librocksdb.a; then exit 1; fi
  libdir=$(dirname "$(find "$prefix" -name librocksdb.so)")
  way=package
  configure_and_build -DCMAKE_PREFIX_PATH="$prefix" -DONLY_SHARED=ON
  uses_shared_library "$work/build/outside_shared" "$libdir"
  try make-shared "$work/build/outside_shared"
  make_it USER_CONFIGURE=: uninstall
  if [ -n "$(find "$prefix" ! -type d)" ]; then exit 1; fi

  said=$(CXXFLAGS=-DTHEIRS LDFLAGS=-Ltheirs make_it -n DEBUG_LEVEL=1 \
    EXTRA_CXXFLAGS=-DMINE EXTRA_LDFLAGS=-Lmine PORTABLE=haswell ldb)
  for flag in CMAKE_BUILD_TYPE=Debug 'CMAKE_CXX_FLAGS="-DTHEIRS -DMINE"' \
      'EXE_LINKER_FLAGS="-Ltheirs -Lmine"' \
      'SHARED_LINKER_FLAGS="-Ltheirs -Lmine"' \
      'PORTABLE="haswell"' 'target ldb'; do
    case $said in *"$flag"*) ;; *) echo "no $flag: $said" && exit 1 ;; esac
  done
  for target in tools dbg db_bench db_stress sst_dump; do
    make_it -n "$target" >/dev/null
  done
}

case $way in
  pkg-config) by_pkg_config ;;
  package) by_package ;;
  subdirectory) by_subdirectory ;;
  parent) by_parent ;;
  make) by_make ;;
  *) echo "run.sh: no such way: $way" >&2 && exit 2 ;;
esac
