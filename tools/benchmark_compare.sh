#!/usr/bin/env bash
# Runs the same jobs of benchmark.sh with several builds of db_bench, one after
# the other, and puts their rows beside each other in summary.tsv: the jobs, the
# environment and the columns of RocksDB's script of this name.
#
# usage: benchmark_compare.sh dbdir outdir version...
#
# db_bench.<version> of each is taken from the current directory, where the
# link db_bench then names the one that runs. dbdir is emptied before each.
#
# Unlike RocksDB's: dbdir must hold nothing but a database, a db_bench that is
# no link stays, and where a job failed the status is 5.
set -u

fail() { echo "$2" >&2; exit "$1"; }

usage() {
  cat <<TEXT
usage: benchmark_compare.sh dbdir outdir version...
It takes ./db_bench.<version> of each, and the environment in
docs/tools/benchmark.md.
TEXT
}

[[ ${1:-} != --help && ${1:-} != -h ]] || { usage; exit 0; }
[[ $# -ge 3 ]] || { usage >&2; exit 1; }
readonly db_dir=$1 out_dir=$2
shift 2
readonly versions=("$@")
script_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
readonly script=$script_dir/benchmark.sh

readonly duration_rw=${DURATION_RW:-65}
readonly duration_ro=${DURATION_RO:-65}
readonly num_threads=${NUM_THREADS:-16}
readonly mb_write_per_sec=${MB_WRITE_PER_SEC:-2}
readonly only_short=${CI_TESTS_ONLY:-false}
readonly job_id=${JOB_ID:-}

# What benchmark.sh reads in every job. The rest of its environment (LEVEL0_*,
# *_PENDING_COMPACTION_BYTES_LIMIT_IN_GB, UNIVERSAL_*, *BLOB*, ...) reaches it
# as it is.
export NUM_KEYS=${NUM_KEYS:-1000000}
export KEY_SIZE=${KEY_SIZE:-20}
export VALUE_SIZE=${VALUE_SIZE:-400}
export COMPRESSION_TYPE=${COMPRESSION_TYPE:-lz4}
export SUBCOMPACTIONS=${SUBCOMPACTIONS:-1}
export WRITE_BUFFER_SIZE_MB=${WRITE_BUFFER_SIZE_MB:-32}
export TARGET_FILE_SIZE_BASE_MB=${TARGET_FILE_SIZE_BASE_MB:-32}
export MAX_BYTES_FOR_LEVEL_BASE_MB=${MAX_BYTES_FOR_LEVEL_BASE_MB:-128}
export MAX_BACKGROUND_JOBS=${MAX_BACKGROUND_JOBS:-8}
export STATS_INTERVAL_SECONDS=${STATS_INTERVAL_SECONDS:-20}
export COMPACTION_STYLE=${COMPACTION_STYLE:-leveled}
export DB_DIR=$db_dir WAL_DIR=$db_dir BENCHMARK_FAILS=1
if [[ -n ${CACHE_SIZE_MB:-} ]]; then
  [[ $CACHE_SIZE_MB =~ ^[0-9]+$ ]] ||
    fail 1 "CACHE_SIZE_MB=$CACHE_SIZE_MB: must be a number"
  export CACHE_SIZE=$((CACHE_SIZE_MB * 1048576))
fi
if [[ -n ${NUMA:-} ]]; then export NUMACTL=1; fi

[[ -x $script ]] || fail 1 "there is no $script"
[[ -d $db_dir ]] || fail 1 "$db_dir is no directory"
case $only_short in true | false) ;; *)
  fail 1 "CI_TESTS_ONLY=$only_short: must be true or false" ;;
esac
for version in "${versions[@]}"; do
  [[ -x ./db_bench.$version ]] || fail 1 "there is no ./db_bench.$version"
done
[[ ! -e db_bench || -L db_bench ]] ||
  fail 1 "./db_bench is no link: it would be lost"
mkdir -p "$out_dir" || exit 1

# Files that are none of a database's.
strangers() {
  find "$db_dir" -mindepth 1 -maxdepth 1 -type f -printf '%f\n' |
    grep -vE '^([0-9]+\.(sst|ldb|log|blob|dbtmp)|(MANIFEST|OPTIONS)-[0-9]+(\.dbtmp)?|CURRENT|IDENTITY|LOCK|LOG(\.old\.[0-9]+)?)$'
}
if found=$(strangers); then
  fail 1 "$db_dir has other files than a database's, such as ${found%%$'\n'*}"
fi

failures=0

# job SECONDS THREADS JOB [VAR=value...] [-- flags...]: one job of the version.
job() {
  local seconds=$1 threads=$2 name=$3 settings=()
  shift 3
  while [[ $# -gt 0 && $1 != -- ]]; do settings+=("$1"); shift; done
  [[ $# -eq 0 ]] || shift
  env "DURATION=$seconds" "NUM_THREADS=$threads" \
    ${settings[@]+"${settings[@]}"} "$script" "$name" "$@" ||
    failures=$((failures + 1))
}

# Whether the linked db_bench knows the benchmark waitforcompaction.
knows_waiting() {
  ./db_bench "--db=$db_dir" --use_existing_db=1 \
    --benchmarks=waitforcompaction > /dev/null 2>&1
}

# All jobs with the linked db_bench.
run_jobs() {
  job 0 1 fillseq_disable_wal
  # A while for the compactions of what was written.
  job 300 1 revrange NUM_KEYS=100
  job "$duration_ro" "$num_threads" readrandom
  if [[ $only_short == false ]]; then
    job "$duration_ro" "$num_threads" fwdrange
    job "$duration_ro" "$num_threads" multireadrandom -- --multiread_batched
  fi
  job "$duration_rw" "$num_threads" overwritesome
  job "$duration_rw" "$num_threads" flush_mt_l0
  local while_writing="MB_WRITE_PER_SEC=$mb_write_per_sec"
  if [[ $only_short == false ]]; then
    job "$duration_rw" "$num_threads" revrangewhilewriting "$while_writing"
    job "$duration_rw" "$num_threads" fwdrangewhilewriting "$while_writing"
  fi
  job "$duration_rw" "$num_threads" readwhilewriting "$while_writing"
  if knows_waiting; then
    job "$duration_rw" "$num_threads" overwriteandwait
  else
    job "$duration_rw" "$num_threads" overwrite
  fi
}

for version in "${versions[@]}"; do
  find "$db_dir" -mindepth 1 -maxdepth 1 -type f -delete || exit 1
  ln -sfn "db_bench.$version" db_bench || exit 1
  export OUTPUT_DIR=$out_dir/$version
  mkdir -p "$OUTPUT_DIR" || exit 1
  rm -f "$OUTPUT_DIR/report.tsv"
  # So that rows of builds with one version number can be told apart.
  export JOB_ID=${job_id:-$version}
  run_jobs
done

# Rows of one test stand together, the versions in their order, each group below
# the names of the columns.
reports=()
for version in "${versions[@]}"; do
  report=$out_dir/$version/report.tsv
  [[ ! -s $report ]] || reports+=("$report")
done
[[ ${#reports[@]} -gt 0 ]] || fail 5 "no job has left a row"
awk -F '\t' '
  FNR == 1 {
    header = $0
    for (i = 1; i <= NF; ++i) if ($i == "test") column = i
    next
  }
  {
    # A row of a job that failed has its name alone beside "failed".
    test = $1 == "failed" ? $2 : $column
    if (!(test in rows)) order[++count] = test
    rows[test] = rows[test] $0 "\n"
  }
  END {
    for (i = 1; i <= count; ++i) printf "%s\n%s", header, rows[order[i]]
  }' "${reports[@]}" > "$out_dir/summary.tsv" || exit 1
[[ $failures -eq 0 ]] || fail 5 "$failures jobs failed; see $out_dir"
