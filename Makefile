# The front of the build: every command that a person types. The kinds of
# build stand in CMakePresets.json; each has its directory build/<kind>, with
# its programs in bin and its libraries in lib.

PREFIX ?= /usr/local

# The kinds of build that `make check` tests: `check`, by gcc, runs what stands
# around the engine and a tenth of the tests, `asan`, by clang, all of them.
KINDS ?= check asan

.PHONY: all demo check check-clients release debug asan tsan flaky format \
	format-check bench bench-compaction stress crashtest soak coverage \
	planted db_bench_stock report report-quick install deps clean rocksdbjava \
	java-asan

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

# All tests in one kind of build.
asan tsan: deps
	@scripts/check.py $@

# The tests again and again under load, shuffled and with fresh seeds, to find
# those that fail now and then. FLAKY_ARGS are those of scripts/flaky.py.
FLAKY_SECONDS ?= 1800
flaky: deps
	@cmake --preset asan --log-level=WARNING
	@cmake --build build/asan
	@scripts/flaky.py $(FLAKY_SECONDS) $(FLAKY_ARGS)

# Programs over the client libraries of other languages, from their registries.
check-clients: deps release
	@scripts/install-deps.sh clients
	@tests/clients/run.sh rust build/release
	@tests/clients/run.sh go build/release
	@tests/clients/run.sh python build/release
	@cmake --install build/release --prefix build/clients/prefix >/dev/null
	@tests/clients/own_tests.py build/clients/prefix build/clients

# The Java classes and their native library as one jar, in build/release/java.
rocksdbjava: deps
	@scripts/install-deps.sh java
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target rocksdbjava

# The calls of Java's objects after and beside their close, in a virtual machine
# under AddressSanitizer.
JAVA_ROUNDS ?= 20
java-asan: deps
	@scripts/install-deps.sh java
	@cmake --preset asan --log-level=WARNING -DBASALT_JAVA_ROUNDS=$(JAVA_ROUNDS)
	@cmake --build build/asan --target java_asan_tests

# Only the programs that the demo runs.
demo: deps
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target db_bench kvdump
	@scripts/demo.sh

bench: deps release db_bench_stock
	@scripts/bench.py $(BENCH_ARGS)
	@tests/c/run.sh build/release/bin/c_get_cost

# What compaction costs, ours beside stock's: hours; with --quick, minutes.
bench-compaction: deps release db_bench_stock
	@scripts/bench_compaction.py $(BENCH_ARGS)

# What readers notice of compaction, ours beside stock's: hours, or minutes.
report: deps release db_bench_stock
	@tools/compaction_io_report/run \
	  --peer build/release/bin/db_bench_stock $(REPORT_ARGS)

report-quick: deps release db_bench_stock
	@tools/compaction_io_report/run --quick \
	  --peer build/release/bin/db_bench_stock $(REPORT_ARGS)

# db_stress once, and beside it option sets drawn with fresh seeds: a few
# minutes, unless told otherwise. STRESS_ARGS are flags of db_stress.
STRESS_SECONDS ?= 300
stress: deps
	@cmake --preset check --log-level=WARNING
	@cmake --build build/check --target db_stress basalt_db_test
	@scripts/stress_sets.sh $(STRESS_SECONDS) & sets=$$!; \
	build/check/bin/db_stress --db=build/check/stress \
	  --duration=$(STRESS_SECONDS) --max_key=100000 --reopen=0 \
	  $(STRESS_ARGS) || { kill $$sets; exit 1; }; \
	wait $$sets

# db_stress, killed every few seconds in every mode: an hour, unless told
# otherwise.
CRASHTEST_SECONDS ?= 3600
crashtest: deps
	@cmake --preset check --log-level=WARNING
	@cmake --build build/check --target db_stress draw_options
	@scripts/crashtest.sh $(CRASHTEST_SECONDS) $(CRASHTEST_ARGS)

# What a release must pass, for many hours: the tests of reliability at a
# hundred times their size, TSan, fuzzers, hours of the crash test. Runs part by
# part, may be stopped at any time and goes on where it stopped; says what has
# been covered. SOAK_ARGS are those of scripts/soak.py.
soak: deps
	@scripts/soak.py $(SOAK_ARGS)

# What share of recovery, manifest, log and table readers the tests run.
coverage: deps
	@scripts/coverage.py $(COVERAGE_ARGS)

# Are the faults of each class seen, when they are in the engine? PLANTED_ARGS
# may name some: --only 1,2. They are in the sources as long as this runs.
planted: deps
	@cmake --preset check --log-level=WARNING
	@scripts/planted_faults.py $(PLANTED_ARGS)

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
