// Transcripts of command lines: what was typed, and what it gave.
//
//   # a remark
//   $ ldb --db=d get a        a line for bash, in one directory for all
//   1                         standard output
//   2> text                   standard error
//   [exit 0]
//
// Commands find their directory in $D, RocksDB's example files in $SPEC and its
// golden databases in $GOLD; those that ask for what is not there are passed
// over. What differs from run to run (paths, times, ids, sizes of files that
// hold the machine's name) is shown as in <time>.
//
// A line "*" stands for any lines of its stream. `--rewrite` of nothing: with
// BASALT_REWRITE=1 in the environment the file is written anew instead, with
// what the commands give, and the diff is reviewed like code.
//
// Errors   Each command that gives something else fails the test.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Replays tests/testdata/tools/<name>.txt with the build's programs.
void ReplayTranscript(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE
