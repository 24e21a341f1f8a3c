#!/usr/bin/env bash
# The tests of drawn option sets, again and again, with fresh seeds.
#
# usage: stress_sets.sh SECONDS
#
# Runs what is built in build/check. Ends with the number of seeds; fails at the
# first seed that fails, and prints how to repeat it.
set -euo pipefail
if [ $# -ne 1 ]; then
  echo "usage: $0 SECONDS" >&2
  exit 1
fi
root=$(cd "$(dirname "$0")/.." && pwd)
test=$root/build/check/bin/basalt_db_test
filter='*/OptionSets.*:*/TimestampSets.*'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
end=$((SECONDS + $1))
seeds=0
while [ $SECONDS -lt $end ]; do
  seed=$(((RANDOM << 30) | (RANDOM << 15) | RANDOM))
  if ! BASALT_TEST_SEED=$seed "$test" --gtest_filter="$filter" >"$log" 2>&1; then
    cat "$log"
    echo "option sets: seed $seed fails; again with" >&2
    echo "BASALT_TEST_SEED=$seed $test --gtest_filter='$filter'" >&2
    exit 1
  fi
  seeds=$((seeds + 1))
done
echo "$seeds seeds of option sets, all right"
