#!/bin/sh
# Installs the Debian packages that building, testing and the demo need, and
# with the argument `clients` those of the clients in other languages, with
# `java` those of the Java interface. Silent and quick when all of them are there.
set -eu

packages="
  build-essential cmake ninja-build ccache mold lld
  clang-16 llvm-16 libclang-rt-16-dev libclang1-16 clang-format-16 pkg-config
  libgtest-dev libgmock-dev libbenchmark-dev
  liburing-dev libfmt-dev libxxhash-dev libgflags-dev
  libsnappy-dev liblz4-dev libzstd-dev zlib1g-dev libbz2-dev
  rocksdb-tools librocksdb-dev strace xz-utils gcovr
  python3 python3-matplotlib python3-numpy
"

# Large; the tests leave a client out whose language is not here.
if [ "${1:-}" = clients ]; then
  # Debian's own cargo is older than what the crates need.
  command -v cargo >/dev/null || packages="$packages cargo-web"
  command -v go >/dev/null || packages="$packages golang-go"
fi

# The build leaves the Java interface out where there is no JDK.
if [ "${1:-}" = java ] || [ "${1:-}" = clients ]; then
  command -v javac >/dev/null ||
    packages="$packages openjdk-17-jdk-headless"
  command -v mvn >/dev/null || packages="$packages maven"
fi

if ! command -v dpkg-query >/dev/null; then
  echo "install-deps: not a Debian system; these packages are needed there," \
    "install their like:" $packages >&2
  exit 0
fi

# `pkg-config` is a package of its own or a name that pkgconf provides.
missing=""
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null ||
    true)
  case $status in
    installed*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  run=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  run="sudo"
elif command -v sudo >/dev/null && [ -t 0 ]; then
  run="sudo"
else
  echo "install-deps: these packages are missing, and neither root nor sudo" \
    "is here to install them:$missing" >&2
  exit 1
fi

echo "install-deps: installing$missing"
$run apt-get -qq update
$run env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq -y --no-install-recommends install $missing >/dev/null
