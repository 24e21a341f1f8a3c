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
	rocksdbjavastatic rocksdbjava_javadocs_jar rocksdbjava_sources_jar jtest \
	jclean java-asan

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

# The Java classes and their native library as one jar, in build/release/java,
# and where RocksDB's users look for it, in java/target. rocksdbjavastatic is
# the same: the library has the engine inside, and takes the codecs from the
# system, as the rest of the build does.
JAVA_TARGET = rocksdbjava_target
rocksdbjava_javadocs_jar rocksdbjava_sources_jar: \
	JAVA_TARGET = rocksdbjava_extras_target
jtest: JAVA_TARGET = jtest
rocksdbjava rocksdbjavastatic rocksdbjava_javadocs_jar \
rocksdbjava_sources_jar jtest: deps
	@scripts/install-deps.sh java
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target $(JAVA_TARGET)

jclean:
	@cmake -E rm -rf java/target build/release/java

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

# What RocksDB's users type. Libraries and programs are linked to from this
# directory; neither tests nor Java are built, and nothing is installed first.
# DEBUG_LEVEL=0 is optimised, all else (and `make dbg`) has assertions;
# CXXFLAGS, LDFLAGS, EXTRA_CXXFLAGS, EXTRA_LDFLAGS and PORTABLE go to the
# compiler, ROCKSDB_PLUGINS are compiled in.
.NOTPARALLEL:  # What is built here is built by many processes already.
LIBRARIES = static_lib shared_lib
PROGRAMS = db_bench db_stress ldb sst_dump
DEBUG_LEVEL ?= 0
PORTABLE ?= 1
JOBS ?= $(shell nproc)
USER_BUILD = build/make-$(if $(filter 0,$(DEBUG_LEVEL)),release,debug)
USER_OUT = .
USER_LDFLAGS = $(strip $(LDFLAGS) $(EXTRA_LDFLAGS))
USER_CONFIGURE = cmake -S . -B $(USER_BUILD) --log-level=WARNING \
	$(if $(shell sh -c 'command -v ninja'),-G Ninja) \
	-DCMAKE_BUILD_TYPE=$(if $(filter 0,$(DEBUG_LEVEL)),Release,Debug) \
	-DCMAKE_CXX_FLAGS="$(strip $(CXXFLAGS) $(EXTRA_CXXFLAGS))" \
	-DCMAKE_EXE_LINKER_FLAGS="$(USER_LDFLAGS)" \
	-DCMAKE_SHARED_LINKER_FLAGS="$(USER_LDFLAGS)" \
	-DPORTABLE="$(PORTABLE)" -DROCKSDB_PLUGINS="$(ROCKSDB_PLUGINS)" \
	-DCMAKE_UNITY_BUILD=ON \
	-DBASALT_WERROR=OFF -DWITH_TESTS=OFF -DWITH_JNI=OFF
USER_TARGET = all
static_lib: USER_TARGET = rocksdb
shared_lib: USER_TARGET = rocksdb-shared
$(PROGRAMS): USER_TARGET = $@
USER_FILES = lib/librocksdb.* bin/*
static_lib: USER_FILES = lib/librocksdb.a
shared_lib: USER_FILES = lib/librocksdb.so*
$(PROGRAMS): USER_FILES = bin/$@
dbg: DEBUG_LEVEL = 1

.PHONY: $(LIBRARIES) $(PROGRAMS) tools dbg install-static install-shared \
	uninstall

$(LIBRARIES) $(PROGRAMS) tools dbg:
	@$(USER_CONFIGURE)
	@cmake --build $(USER_BUILD) --parallel $(JOBS) --target $(USER_TARGET)
	@for file in $(addprefix $(USER_BUILD)/,$(USER_FILES)); do \
	  ln -sf "$$(realpath -s "$$file")" "$(USER_OUT)" || exit 1; \
	done

# One library, and what both need: headers, rocksdb.pc, the CMake package.
install-static: static_lib
install-shared: shared_lib
install-static install-shared:
	@for component in headers $(@:install-%=%); do \
	  cmake --install $(USER_BUILD) --prefix "$(PREFIX)" \
	    --component $$component || exit 1; \
	done

# Takes from PREFIX what was installed there from this directory.
INSTALLED = $(abspath $(PREFIX))
uninstall:
	@for list in build/*/install_manifest*.txt \
	    $(USER_BUILD)/install_manifest*.txt; do \
	  if [ -f "$$list" ]; then cat "$$list" && echo; fi; \
	done | while IFS= read -r file; do \
	  case $$file in "$(INSTALLED)"/*) rm -f "$(DESTDIR)$$file" ;; esac; \
	done
	@cd "$(DESTDIR)$(INSTALLED)" 2>/dev/null && rmdir -p \
	  include/rocksdb/utilities lib/cmake/rocksdb lib/*/cmake/rocksdb \
	  lib64/cmake/rocksdb share/doc/rocksdb/tools 2>/dev/null || true

format:
	@scripts/format.sh

format-check:
	@scripts/format.sh --check

clean:
	@cmake -E rm -rf build java/target
	@find . -maxdepth 1 -type l -lname '*/build/make-*' -delete
