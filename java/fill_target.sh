#!/bin/sh
# Puts what was built where RocksDB's make puts it:
#   fill_target.sh FOLDER FILE...
# A jar comes with its SHA-1.
set -eu
folder=$1
shift
mkdir -p "$folder"
for file; do
  name=$folder/$(basename "$file")
  cp "$file" "$name"
  case $name in *.jar) sha1sum "$name" | cut -d ' ' -f 1 >"$name.sha1" ;; esac
done
