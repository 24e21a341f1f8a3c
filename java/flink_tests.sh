#!/bin/bash
# Runs the tests of Apache Flink's RocksDB state backend over a jar:
#   flink_tests.sh JAR OUT
# They come from Maven's repository, into OUT, where they also run. As root they
# are run by another user: one of them wants a directory that it cannot write.
# Exit status 77: they are not to be had.
set -eu
jar=$(readlink -f "$1") out=$2 version=2.0.0
mkdir -p "$out/lib" "$out/run"
out=$(readlink -f "$out")
artifact() {
  echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId>" \
    "<version>$3</version>${4:+<type>$4</type>}</dependency>"
}
if [ ! -e "$out/lib/.complete" ]; then
  command -v mvn >/dev/null || exit 77
  {
    echo '<project xmlns="http://maven.apache.org/POM/4.0.0">'
    echo '<modelVersion>4.0.0</modelVersion><groupId>tests</groupId>'
    echo '<artifactId>flink</artifactId><version>1</version><dependencies>'
    for name in statebackend-rocksdb runtime core; do
      artifact org.apache.flink flink-$name $version
      artifact org.apache.flink flink-$name $version test-jar
    done
    artifact org.apache.flink flink-streaming-java $version
    artifact org.apache.flink flink-test-utils-junit $version
    artifact org.junit.platform junit-platform-console-standalone 1.11.4
    artifact org.mockito mockito-junit-jupiter 5.14.2
    artifact org.assertj assertj-core 3.27.3
    artifact org.hamcrest hamcrest-all 1.3
    echo '</dependencies></project>'
  } >"$out/pom.xml"
  mvn -q -B -f "$out/pom.xml" dependency:copy-dependencies \
    -DexcludeArtifactIds=frocksdbjni -DoutputDirectory="$out/lib" || exit 77
  touch "$out/lib/.complete"
fi

cp "$jar" "$out/under_test.jar"
chmod -R a+rX "$out"
chmod 777 "$out/run"
# An older class of the same name lies in another of these, too.
path=$out/under_test.jar:$out/lib/hamcrest-all-1.3.jar
for library in "$out"/lib/*.jar; do path=$path:$library; done
opens=()
for package in util lang time nio util.concurrent; do
  opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
cd "$out/run"
tests=org.apache.flink.state.rocksdb
HOME=$out/run "${as[@]}" java -Xmx1500m "${opens[@]}" \
  -Djava.io.tmpdir="$out/run" -cp "$path" \
  org.junit.platform.console.ConsoleLauncher execute --disable-banner \
  --details=summary --select-class=$tests.RocksDBStateBackendConfigTest \
  --select-class=$tests.EmbeddedRocksDBStateBackendTest
