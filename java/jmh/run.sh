#!/bin/sh
# Times a jar of org.rocksdb, with JMH from Maven's repository:
#   run.sh JAR OUT [ARGUMENTS]
# ARGUMENTS go to JMH, such as -f 1 -wi 3 -i 5. For a comparison run it with one
# jar and the other by turns. With --cpu first, where the machine has other work:
# processor times without JMH. Exit status 77: JMH is not to be had.
set -eu
jar=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/libraries"
jar=$(readlink -f "$jar")
if [ ! -e "$out/libraries/.complete" ]; then
  command -v mvn >/dev/null || exit 77
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies \
    -DoutputDirectory="$out/libraries" || exit 77
  touch "$out/libraries/.complete"
fi
path=$jar
for library in "$out"/libraries/*.jar; do path=$path:$library; done
rm -rf "$out/classes"
mkdir -p "$out/classes"
javac -encoding UTF-8 -cp "$path" -d "$out/classes" \
  "$here"/src/main/java/org/rocksdb/jmh/*.java
if [ "${1:-}" = --cpu ]; then
  shift
  exec java -cp "$out/classes:$path" org.rocksdb.jmh.CpuTimes "$@"
fi
java -cp "$out/classes:$path" org.openjdk.jmh.Main "$@"
