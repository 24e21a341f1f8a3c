#!/usr/bin/env bash
# Every fuzzer, or one, for some seconds:
#
#   scripts/fuzz.sh SECONDS [CORPUS_FOLDER [DECODER]]
#
# The corpus begins with the seeds of tests/fuzz and grows; what makes a decoder
# fail is left in the working directory as crash-<hash>.
set -euo pipefail
seconds=${1:?usage: fuzz.sh SECONDS [CORPUS_FOLDER [DECODER]]}
cd "$(dirname "$0")/.."
corpus=${2:-build/fuzz/corpus}
cmake --preset fuzz --log-level=WARNING
if [ -n "${3:-}" ]; then
  cmake --build build/fuzz --target "fuzz_$3"
  fuzzers=("build/fuzz/bin/fuzz_$3")
else
  cmake --build build/fuzz --target fuzzers
  fuzzers=(build/fuzz/bin/fuzz_*)
fi
for fuzzer in "${fuzzers[@]}"; do
  folder=$corpus/$(basename "$fuzzer")
  mkdir -p "$folder"
  echo "== $(basename "$fuzzer")"
  BASALT_WRITE_SEEDS=$folder "$fuzzer" -max_total_time="$seconds" \
    -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 "$folder" 2>&1 |
    tail -n 20
done
