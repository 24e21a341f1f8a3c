#!/bin/sh
# Compiles the Java classes and packs them with the native library:
#   build_jar.sh OUT JAR LIBRARY PLATFORM VERSION JAVAC JAR_TOOL STRIP
# Classes are those of Java 8, whatever compiles them.
set -eu
out=$1 jar=$2 library=$3 platform=$4 version=$5 javac=$6 jar_tool=$7 strip=$8
here=$(cd "$(dirname "$0")" && pwd)

classes=$out/classes
rm -rf "$classes"
mkdir -p "$classes"
find "$here/src/main/java" "$here/generated" -name '*.java' >"$out/sources"
"$javac" --release 8 -Xlint:-options -encoding UTF-8 -d "$classes" \
  "@$out/sources" 2>"$out/javac.log" || { cat "$out/javac.log" >&2; exit 1; }

name=librocksdbjni-$platform.so
"$strip" --strip-unneeded -o "$classes/$name" "$library"
cat >"$out/manifest" <<EOF
Automatic-Module-Name: rocksdbjni
Implementation-Title: org.rocksdb
Implementation-Version: $version
Enable-Native-Access: ALL-UNNAMED
EOF
"$jar_tool" --create --file "$jar.new" --manifest "$out/manifest" \
  -C "$classes" .
mv "$jar.new" "$jar"
