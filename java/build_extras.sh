#!/bin/sh
# What Maven's repositories want beside the jar with the classes:
#   build_extras.sh OUT VERSION JAVADOC JAR_TOOL
# The jars of sources and of documentation, and the pom.
set -eu
out=$1 version=$2 javadoc=$3 jar_tool=$4
here=$(cd "$(dirname "$0")" && pwd)
name=$out/rocksdbjni-$version

tree=$out/extras
rm -rf "$tree"
mkdir -p "$tree/sources" "$tree/javadoc"
cp -R "$here/src/main/java/org" "$tree/sources"
cp -R "$here/generated/org" "$tree/sources"
"$jar_tool" --create --file "$name-sources.jar" -C "$tree/sources" .

find "$tree/sources" -name '*.java' >"$tree/list"
"$javadoc" -quiet -Xdoclint:none -encoding UTF-8 -notimestamp --release 8 \
  -windowtitle "org.rocksdb $version" -d "$tree/javadoc" "@$tree/list" \
  >"$tree/log" 2>&1 || { cat "$tree/log" >&2; exit 1; }
"$jar_tool" --create --file "$name-javadoc.jar" -C "$tree/javadoc" .

sed "s/@VERSION@/$version/" "$here/pom.xml.in" >"$name.pom"
rm -rf "$tree"
