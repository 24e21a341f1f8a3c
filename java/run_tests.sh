#!/bin/sh
# Compiles and runs the tests over a jar: run_tests.sh JAR OUT [ARGUMENTS]
# ARGUMENTS go to JUnit's console launcher; all tests run without any. JUnit
# comes from Maven's repository, or from what Maven has of it. Exit status 77:
# there is no JUnit to be had. In the environment: JAVA_OPTIONS go to the virtual
# machine, such as -Drocksdb.test.scale=100; JAVA_PRELOAD is the library of a
# sanitizer, which it loads before all others.
set -eu
jar=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
version=1.11.4
name=junit-platform-console-standalone
repository=$(readlink -f ~)/.m2/repository
junit=$repository/org/junit/platform/$name/$version/$name-$version.jar
if [ ! -f "$junit" ]; then
  command -v mvn >/dev/null || exit 77
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get \
    -Dartifact=org.junit.platform:$name:$version -Dtransitive=false || exit 77
fi

# A run that was killed may have left half of a library in the cache.
rm -rf "$out" "$out.cache"
mkdir -p "$out"
find "$here/src/test/java" -name '*.java' >"$out.sources"
javac --release 11 -Xlint:-options -encoding UTF-8 -cp "$jar:$junit" \
  -d "$out" "@$out.sources"
[ $# -gt 0 ] || set -- --scan-classpath "$out"
# A test of ours has its own library cache, which must not be left behind.
XDG_CACHE_HOME=$out.cache
export XDG_CACHE_HOME
if [ -n "${JAVA_PRELOAD:-}" ]; then
  # Signals are the virtual machine's, and what it keeps to its end is no leak.
  asan=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
  preload="env LD_PRELOAD=$JAVA_PRELOAD ASAN_OPTIONS=$asan:detect_leaks=0"
fi
# shellcheck disable=SC2086
${preload:-} java ${JAVA_OPTIONS:-} -ea -Xcheck:jni -Xmx1g \
  -Drocksdb.test.examples="$here/../examples/java" \
  -cp "$out:$jar:$junit" \
  org.junit.platform.console.ConsoleLauncher execute --details=tree \
  --disable-banner --class-path "$out" "$@" >"$out.log" 2>&1 || {
  cat "$out.log"
  exit 1
}
if grep -q '^WARNING in native method' "$out.log"; then
  grep -A 20 -m 3 '^WARNING in native method' "$out.log"
  exit 1
fi
tail -n 14 "$out.log"
