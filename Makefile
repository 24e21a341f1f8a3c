# The front of the build: every command that a person types. The kinds of
# build stand in CMakePresets.json; each has its directory build/<kind>, with
# its programs in bin and its libraries in lib.

PREFIX ?= /usr/local

# The kinds of build that `make check` tests; CI adds asan.
KINDS ?= check

.PHONY: all demo check check-clients release debug asan tsan format \
	format-check bench db_bench_stock report report-quick install deps clean

all: release

deps:
	@scripts/install-deps.sh

release debug:
	@cmake --preset $@ --log-level=WARNING
	@cmake --build build/$@

# Builds and runs every test and every check of the tree; ends with the line
# "N passed, N failed".
check: deps
	@scripts/check.py $(KINDS)

# The tests again, under sanitizers.
asan tsan: deps
	@scripts/check.py $@

# Programs over the client libraries of other languages, from their registries.
check-clients: deps release
	@tests/clients/run.sh rust build/release
	@tests/clients/run.sh go build/release

demo: deps release
	@scripts/demo.sh

bench: deps release db_bench_stock
	@scripts/bench.py $(BENCH_ARGS)

# What readers notice of compaction, ours beside stock's: hours, or minutes.
report: deps release db_bench_stock
	@tools/compaction_io_report/run \
	  --peer build/release/bin/db_bench_stock $(REPORT_ARGS)

report-quick: deps release db_bench_stock
	@tools/compaction_io_report/run --quick \
	  --peer build/release/bin/db_bench_stock $(REPORT_ARGS)

# Our benchmark on the machine's own RocksDB.
db_bench_stock: deps
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target db_bench_stock kvdump_stock

install: release
	@cmake --install build/release --prefix "$(PREFIX)"

format:
	@scripts/format.sh

format-check:
	@scripts/format.sh --check

clean:
	@cmake -E rm -rf build
