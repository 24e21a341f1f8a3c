#!/usr/bin/env bash
# Runs db_bench's usual jobs one after another and gathers what they print in
# report.tsv: the jobs, the environment and the columns of RocksDB's script of
# this name.
#
# usage: benchmark.sh job[,job...] [more flags of db_bench]
#
# db_bench is taken from the current directory. A job whose db_bench fails has a
# row that says so, and the script goes on; its status then is 0, as RocksDB's
# is, unless BENCHMARK_FAILS is set.
#
# Unlike RocksDB's: columns of the level table are found by their names, so that
# a new one does not shift them, and neither iostat nor vmstat is needed.
set -u

readonly KB=1024 MB=1048576 GB=1073741824
readonly ALL_JOBS="bulkload fillseq_disable_wal fillseq_enable_wal overwrite
overwritesome overwriteandwait updaterandom mergerandom filluniquerandom
readrandom multireadrandom fwdrange revrange readwhilewriting readwhilemerging
fwdrangewhilewriting revrangewhilewriting fwdrangewhilemerging
revrangewhilemerging randomtransaction flush_mt_l0 waitforcompaction
universal_compaction debug"

fail() { echo "$2" >&2; exit "$1"; }

usage() {
  cat <<TEXT
usage: benchmark.sh job[,job...] [more flags of db_bench]
jobs: $(echo $ALL_JOBS)
DB_DIR and WAL_DIR must be set; what else may be is at the head of
docs/tools/benchmark.md.
TEXT
}

[[ $# -ge 1 ]] || { usage >&2; exit 1; }
[[ $1 != --help && $1 != -h ]] || { usage; exit 0; }
[[ -n ${DB_DIR:-} ]] || fail 1 "DB_DIR is not set"
[[ -n ${WAL_DIR:-} ]] || fail 1 "WAL_DIR is not set"
jobs=${1//,/ }
shift
readonly more_flags=("$@")

output_dir=${OUTPUT_DIR:-/tmp}
job_id=${JOB_ID:-}
num_keys=${NUM_KEYS:-8000000000}
key_size=${KEY_SIZE:-20}
value_size=${VALUE_SIZE:-400}
block_size=${BLOCK_SIZE:-8192}
num_threads=${NUM_THREADS:-64}
duration=${DURATION:-0}
writes=${WRITES:-0}
mb_write_per_sec=${MB_WRITE_PER_SEC:-0}
nexts=${NUM_NEXTS_PER_SEEK:-10}
cache_size=${CACHE_SIZE:-$((16 * GB))}
index_in_cache=${CACHE_INDEX_AND_FILTER_BLOCKS:-0}
compression=${COMPRESSION_TYPE:-zstd}
write_buffer_mb=${WRITE_BUFFER_SIZE_MB:-128}
target_file_mb=${TARGET_FILE_SIZE_BASE_MB:-128}
base_level_mb=${MAX_BYTES_FOR_LEVEL_BASE_MB:-1024}
style=${COMPACTION_STYLE:-leveled}

case $index_in_cache in 0 | 1) ;; *)
  fail 1 "CACHE_INDEX_AND_FILTER_BLOCKS=$index_in_cache: must be 0 or 1" ;;
esac
case $style in leveled | universal | blob) ;; *)
  fail 1 "COMPACTION_STYLE=$style: must be leveled, universal or blob" ;;
esac
if [[ ${COMPACTION_TEST:-0} == 1 && $jobs != universal_compaction ]]; then
  fail 2 "COMPACTION_TEST=1 goes with the job universal_compaction alone"
fi
for job in $jobs; do
  [[ " $(echo $ALL_JOBS) " == *" $job "* ]] || fail 3 "unknown job '$job'"
done
[[ -x ./db_bench ]] || fail 4 "there is no ./db_bench"
mkdir -p "$output_dir" || exit 1
readonly report=$output_dir/report.tsv

# The flags of every job.
common_flags() {
  local level0=${LEVEL0_FILE_NUM_COMPACTION_TRIGGER:-}
  flags=(
    --undefok=use_blob_cache,use_shared_block_and_blob_cache,blob_cache_size,blob_cache_numshardbits,prepopulate_blob_cache,multiread_batched,cache_low_pri_pool_ratio,prepopulate_block_cache
    "--db=$DB_DIR" "--wal_dir=$WAL_DIR" "--num=$num_keys"
    "--key_size=$key_size" "--value_size=$value_size"
    "--block_size=$block_size" "--cache_size=$cache_size"
    "--cache_numshardbits=${CACHE_NUMSHARDBITS:-6}"
    "--compression_max_dict_bytes=${COMPRESSION_MAX_DICT_BYTES:-0}"
    --compression_ratio=0.5 "--compression_type=$compression"
    "--bytes_per_sync=${BYTES_PER_SYNC:-$MB}"
    "--benchmark_write_rate_limit=$((mb_write_per_sec * MB))"
    "--write_buffer_size=$((write_buffer_mb * MB))"
    "--target_file_size_base=$((target_file_mb * MB))"
    "--max_bytes_for_level_base=$((base_level_mb * MB))"
    --verify_checksum=1
    "--delete_obsolete_files_period_micros=$((60 * MB))"
    "--max_bytes_for_level_multiplier=${PER_LEVEL_FANOUT:-8}"
    --statistics=0 --stats_per_interval=1
    "--stats_interval_seconds=${STATS_INTERVAL_SECONDS:-60}"
    "--report_interval_seconds=${REPORT_INTERVAL_SECONDS:-1}"
    --histogram=1 --memtablerep=skip_list --bloom_bits=10 --open_files=-1
    "--subcompactions=${SUBCOMPACTIONS:-1}"
    "--max_background_jobs=${MAX_BACKGROUND_JOBS:-16}"
    --max_write_buffer_number=8
    "--level0_slowdown_writes_trigger=${LEVEL0_SLOWDOWN_WRITES_TRIGGER:-20}"
    "--level0_stop_writes_trigger=${LEVEL0_STOP_WRITES_TRIGGER:-30}"
  )
  if [[ $index_in_cache == 1 ]]; then
    flags+=(--cache_index_and_filter_blocks=1 --cache_high_pri_pool_ratio=0.5
      --cache_low_pri_pool_ratio=0)
  fi
  if [[ -n ${USE_O_DIRECT:-} ]]; then
    flags+=(--use_direct_reads --use_direct_io_for_flush_and_compaction
      --prepopulate_block_cache=1)
  fi
  if [[ -n ${SOFT_PENDING_COMPACTION_BYTES_LIMIT_IN_GB:-} ]]; then
    flags+=("--soft_pending_compaction_bytes_limit=$((SOFT_PENDING_COMPACTION_BYTES_LIMIT_IN_GB * GB))")
  fi
  if [[ -n ${HARD_PENDING_COMPACTION_BYTES_LIMIT_IN_GB:-} ]]; then
    flags+=("--hard_pending_compaction_bytes_limit=$((HARD_PENDING_COMPACTION_BYTES_LIMIT_IN_GB * GB))")
  fi
  style_flags
}

# Those of the way in which the tree is kept.
style_flags() {
  if [[ $style == universal ]]; then
    flags+=(--compaction_style=1 --num_levels=40
      "--universal_compression_size_percent=${COMPRESSION_SIZE_PERCENT:--1}"
      --pin_l0_filter_and_index_blocks_in_cache=1
      "--universal_min_merge_width=${UNIVERSAL_MIN_MERGE_WIDTH:-2}"
      "--universal_max_merge_width=${UNIVERSAL_MAX_MERGE_WIDTH:-20}"
      "--universal_size_ratio=${UNIVERSAL_SIZE_RATIO:-1}"
      "--universal_max_size_amplification_percent=${UNIVERSAL_MAX_SIZE_AMP:-200}"
      "--universal_allow_trivial_move=${UNIVERSAL_ALLOW_TRIVIAL_MOVE:-0}"
      "--level0_file_num_compaction_trigger=${level0:-8}")
    return
  fi
  flags+=(--compaction_style=0 --num_levels=8
    "--min_level_to_compress=${MIN_LEVEL_TO_COMPRESS:--1}"
    --level_compaction_dynamic_level_bytes=true
    --pin_l0_filter_and_index_blocks_in_cache=1
    "--level0_file_num_compaction_trigger=${level0:-4}")
  [[ $style == blob ]] || return 0
  flags+=(--enable_blob_files=1 --enable_blob_garbage_collection=1
    "--min_blob_size=${MIN_BLOB_SIZE:-0}"
    "--blob_file_size=${BLOB_FILE_SIZE:-$((256 * MB))}"
    "--blob_compression_type=${BLOB_COMPRESSION_TYPE:-$compression}"
    "--blob_garbage_collection_age_cutoff=${BLOB_GC_AGE_CUTOFF:-0.25}"
    "--blob_garbage_collection_force_threshold=${BLOB_GC_FORCE_THRESHOLD:-1}"
    "--blob_file_starting_level=${BLOB_FILE_STARTING_LEVEL:-0}"
    "--use_blob_cache=${USE_BLOB_CACHE:-1}"
    "--use_shared_block_and_blob_cache=${USE_SHARED_BLOCK_AND_BLOB_CACHE:-1}"
    "--blob_cache_size=${BLOB_CACHE_SIZE:-$((16 * GB))}"
    "--blob_cache_numshardbits=${BLOB_CACHE_NUMSHARDBITS:-6}"
    "--prepopulate_blob_cache=${PREPOPULATE_BLOB_CACHE:-0}")
}

report_header() {
  printf '%s\n' "ops_sec	mb_sec	lsm_sz	blob_sz	c_wgb	w_amp	c_mbps	c_wsecs	c_csecs	b_rgb	b_wgb	usec_op	p50	p99	p99.9	p99.99	pmax	uptime	stall%	Nstall	u_cpu	s_cpu	rss	test	date	version	job_id	githash"
}

# summarize NAME LOG BENCHMARK: one row of the report.
summarize() {
  [[ -s $report ]] || report_header > "$report"
  local version="" githash=""
  if [[ -r $DB_DIR/LOG ]]; then
    version=$(awk '/RocksDB version:/ { print $5; exit }' "$DB_DIR/LOG")
    githash=$(awk '/Git sha/ { print substr($5, 1, 10); exit }' "$DB_DIR/LOG")
  fi
  awk -v test="$1" -v benchmark="$3" -v job_id="$job_id" \
    -v version="$version" -v githash="$githash" \
    -v times="$(cat "$2.time" 2> /dev/null)" '
    # Sizes as GB, from a number and its unit.
    function gb(size, unit) {
      if (unit ~ /^KB/) return size / 1048576
      if (unit ~ /^MB/) return size / 1024
      if (unit ~ /^TB/) return size * 1024
      return size + 0
    }
    # The field of the level table below the heading `name`. RocksDB writes a
    # size as two words, where the heading has one.
    function level(name) {
      return name in column ? sum[column[name] + shift] : "NA"
    }
    BEGIN { month = "JanFebMarAprMayJunJulAugSepOctNovDec" }
    $1 == benchmark && / micros\/op / && $8 == "seconds" {
      ops = $5; usec = $3; mb = $11
      # Without bytes there is no rate.
      if ($12 !~ /^MB\/s/) mb = "NA"
    }
    $1 == "Level" && /Comp\(sec\)/ {
      delete column
      for (i = 1; i <= NF; ++i) column[$i] = i
      shift = "Size(MB)" in column ? 0 : 1
    }
    $1 == "Sum" { split($0, sum); lsm = shift == 0 ? $3 "MB" : $3 $4 }
    /^Blob file count:/ { blob = $7 $8; sub(/,$/, "", blob) }
    /^Cumulative compaction:/ {
      written = $3; unit = $4; rate = $7 ~ /^MB\/s/ ? $6 : ""
    }
    /^Flush\(GB\): cumulative/ { flushed = $3; sub(/,$/, "", flushed) }
    /^Cumulative writes:/ {
      for (i = 1; i < NF; ++i) if ($i == "ingest:") ingest = gb($(i + 1), $(i + 2))
    }
    /^Percentiles:/ { p50 = $3; p99 = $7; p999 = $9; p9999 = $11 }
    /^Min: .*Median:.*Max:/ { pmax = $6 }
    /^Uptime\(secs/ { uptime = $2 }
    /^Cumulative stall/ { stall = $5 }
    /^Write Stall \(count\):/ {
      for (i = 1; i <= NF; ++i)
        if ($i ~ /^total-/) { total = $(i + 1); sub(/,$/, "", total); n[$i] = total }
    }
    /^Stalls\(count\):/ { old = $2 + $6 + $10 + $14 + $18 + $20; has_old = 1 }
    /^Date:/ {
      m = (index(month, $3) + 2) / 3
      date = sprintf("%s-%02d-%02dT%s", $6, m, $4, $5)
    }
    /^__rss_kb__/ { if ($2 > rss) rss = $2 }
    END {
      if (ops == "") { print "failed\t" test; exit }
      if (has_old) stalls = old
      else { stalls = 0; for (k in n) stalls += n[k] }
      amplification = "NA"
      if (ingest > 0)
        amplification = sprintf("%.1f", (gb(written, unit) + flushed) / ingest)
      if (rate == "" && uptime > 0)
        rate = sprintf("%.1f", gb(written, unit) * 1024 / uptime)
      split(times, cpu)
      printf "%s\t%s\t%s\t%s\t%s\t%s\t%s", ops, mb, lsm == "" ? "NA" : lsm, \
        blob == "" ? "0GB" : blob, sprintf("%.2f", gb(written, unit)), \
        amplification, rate == "" ? "NA" : rate
      printf "\t%s\t%s\t%s\t%s", level("Comp(sec)"), \
        level("CompMergeCPU(sec)"), level("Rblob(GB)"), level("Wblob(GB)")
      printf "\t%s\t%s\t%s\t%s\t%s\t%s", usec, p50, p99, p999, p9999, pmax
      printf "\t%s\t%s\t%s", uptime, stall, stalls
      printf "\t%.1f\t%.1f", cpu[2] / 1000, cpu[3] / 1000
      printf "\t%.1f\t%s\t%s\t%s\t%s\t%s\n", rss / 1048576, test, date, \
        version, job_id, githash
    }' "$2" >> "$report"
}

failures=0

# run NAME BENCHMARKS SUMMARIZED flags...: runs db_bench; SUMMARIZED is the
# benchmark that the report is about, or "" for none.
run() {
  local name=$1 benchmarks=$2 summarized=$3
  shift 3
  local log=$output_dir/benchmark_$name.log
  local command=(./db_bench "--benchmarks=$benchmarks" "${flags[@]}" "$@"
    "--seed=$(date +%s)" "--report_file=$log.r.csv"
    ${more_flags[@]+"${more_flags[@]}"})
  [[ -z ${NUMACTL:-} ]] || command=(numactl --interleave=all "${command[@]}")
  echo "${command[*]}" | tee "$log"
  local start_times end_times
  /usr/bin/env bash -c '
    TIMEFORMAT="%R %U %S"
    time_file=$1; log=$2; shift 2
    { time "$@" >> "$log" 2>&1; } 2> "$time_file"
  ' run "$log.time" "$log" "${command[@]}" &
  local pid=$!
  watch_memory "$pid" "$log" &
  local watcher=$!
  wait "$pid"
  local status=$?
  kill "$watcher" 2> /dev/null
  wait "$watcher" 2> /dev/null
  cat "$log.rss" >> "$log" 2> /dev/null
  rm -f "$log.rss"
  if [[ $status -ne 0 ]]; then
    echo "$name: db_bench ended with status $status" >&2
    failures=$((failures + 1))
  fi
  [[ -z $summarized ]] || summarize "$name" "$log" "$summarized"
}

# The memory of what `pid` runs, every second, until it is killed.
watch_memory() {
  local child
  while sleep 1; do
    for child in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
      awk '/^VmRSS:/ { print "__rss_kb__ " $2 }' "/proc/$child/status" \
        2> /dev/null >> "$2.rss"
    done
  done
}

sync_flag() { [[ -n ${DB_BENCH_NO_SYNC:-} ]] && echo 0 || echo 1; }

limits() {
  if [[ $duration -gt 0 ]]; then echo "--duration=$duration"; fi
  if [[ $writes -gt 0 ]]; then echo "--writes=$writes"; fi
}

# A job over the database that is there. Its row is named for the threads, and
# for sync where all that it does is to write.
over() {
  local name=$1.t$num_threads benchmarks=$2 summarized=$3
  shift 3
  case $summarized in overwrite | updaterandom | mergerandom)
    name+=.s$(sync_flag) ;;
  esac
  # Word splitting is meant: no limit is an empty list.
  # shellcheck disable=SC2046
  run "$name" "$benchmarks" "$summarized" --use_existing_db=1 \
    "--sync=$(sync_flag)" "--threads=$num_threads" $(limits) "$@"
}

fill_in_order() {
  local wal
  wal=$([[ $1 == 1 ]] && echo wal_disabled || echo wal_enabled)
  run "fillseq.$wal.v$value_size" fillseq,stats fillseq --use_existing_db=0 \
    --sync=0 --threads=1 --memtablerep=vector \
    --allow_concurrent_memtable_write=false "--disable_wal=$1"
}

bulkload() {
  run bulkload fillrandom,stats fillrandom --use_existing_db=0 \
    --disable_auto_compactions=1 --sync=0 --threads=1 --memtablerep=vector \
    --allow_concurrent_memtable_write=false --disable_wal=1
  run bulkload.compact compact,stats compact --use_existing_db=1 \
    --disable_auto_compactions=1 --sync=0 --threads=1
}

universal_compaction_job() {
  local count
  for count in 1 2 4 8 16; do
    run "universal_compaction.sub$count" fillrandom,compact,stats compact \
      --use_existing_db=0 --sync=0 --threads=1 --disable_wal=1 \
      --memtablerep=vector --allow_concurrent_memtable_write=false \
      --compaction_style=1 "--subcompactions=$count"
  done
}

run_job() {
  local job=$1
  case $job in
    bulkload) bulkload ;;
    fillseq_disable_wal) fill_in_order 1 ;;
    fillseq_enable_wal) fill_in_order 0 ;;
    overwrite | overwritesome)
      over "$job" overwrite,stats overwrite --merge_operator=put ;;
    overwriteandwait)
      over "$job" overwrite,waitforcompaction,stats overwrite \
        --merge_operator=put ;;
    updaterandom | mergerandom)
      over "$job" "$job,stats" "$job" --merge_operator=put ;;
    filluniquerandom)
      run "$job" filluniquerandom,stats filluniquerandom --use_existing_db=0 \
        --sync=0 --threads=1 ;;
    readrandom) over "$job" readrandom,stats readrandom ;;
    multireadrandom)
      over "$job" multireadrandom,stats multireadrandom --batch_size=10 ;;
    fwdrange | revrange)
      over "$job" seekrandom,stats seekrandom "--seek_nexts=$nexts" \
        "--reverse_iterator=$([[ $job == revrange ]] && echo true || echo false)" ;;
    readwhilewriting | readwhilemerging)
      over "$job" "$job,stats" "$job" --merge_operator=put ;;
    fwdrangewhile* | revrangewhile*)
      over "$job" "seekrandomwhile${job##*while},stats" \
        "seekrandomwhile${job##*while}" "--seek_nexts=$nexts" \
        "--reverse_iterator=$([[ $job == rev* ]] && echo true || echo false)" \
        --merge_operator=put ;;
    randomtransaction)
      run "$job" randomtransaction "" --use_existing_db=0 --transaction_db \
        --threads=5 --transaction_sets=5 ;;
    flush_mt_l0)
      over "$job" levelstats,flush,waitforcompaction,compact0,waitforcompaction,memstats,levelstats,stats "" ;;
    waitforcompaction) over "$job" waitforcompaction,stats "" ;;
    universal_compaction) universal_compaction_job ;;
    debug) num_keys=1000 ;;
  esac
}

for job in $jobs; do
  common_flags
  run_job "$job"
done
if [[ -n ${BENCHMARK_FAILS:-} && $failures -gt 0 ]]; then exit 5; fi
exit 0
