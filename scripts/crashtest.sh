#!/usr/bin/env bash
# db_crashtest in each of its modes, one after the other.
#
# usage: crashtest.sh SECONDS [ARGUMENT...]
#
# SECONDS are shared by the modes; arguments go to each of them. Modes that match
# the expression CRASHTEST_SKIP are left out. Ends with the number of kills; fails
# at the first thing that is wrong, and if an hour or more made too few kills to
# tell much.
set -euo pipefail
if [ $# -lt 1 ]; then
  echo "usage: $0 SECONDS [ARGUMENT...]" >&2
  exit 1
fi
root=$(cd "$(dirname "$0")/.." && pwd)
modes=("blackbox" "whitebox" "blackbox --cf_consistency"
  "whitebox --atomic_flush" "blackbox --simple" "whitebox --cf_consistency"
  "blackbox --enable_ts" "whitebox --enable_ts"
  "blackbox --test_best_efforts_recovery"
  "whitebox --test_best_efforts_recovery" "blackbox --test_tiered_storage"
  "blackbox --txn" "whitebox --txn" "blackbox --optimistic_txn"
  "whitebox --optimistic_txn" "blackbox --test_multiops_txn"
  "whitebox --test_multiops_txn")
if [ -n "${CRASHTEST_SKIP:-}" ]; then
  mapfile -t modes < <(printf '%s\n' "${modes[@]}" | grep -vE "$CRASHTEST_SKIP")
fi
least_kills=0
if [ "$1" -ge 3600 ]; then least_kills=300; fi
seconds=$(($1 / ${#modes[@]}))
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for mode in "${modes[@]}"; do
  # Word splitting is meant: a mode and its switch.
  # shellcheck disable=SC2086
  "$root/tools/db_crashtest.py" $mode --duration=$seconds --interval=4 "$@" |
    tee -a "$log"
done
awk -v least="$least_kills" '
  / kills, .*runs that ended/ { n += $1 }
  END {
    print n + 0 " kills in all"
    if (n < least) { print "fewer than " least; exit 1 }
  }' "$log"
