// Whole databases in scripts: each case is the life of one, in a directory of
// its own.
//
//   database OPTIONS      opens an empty one; "closed" leaves that to the body
//   COMMANDS              one on a line, or several with "; " between them
//   ----
//   ANSWERS               a line for each command that has one
//
// A command that changes something answers only where it fails: its verb and
// the status. A line of the body that begins with '#' is a comment.
//
// OPTIONs are NAME:VALUE, of DBOptions or ColumnFamilyOptions, or with "table."
// before the name of BlockBasedTableOptions, as the options' strings have them.
// A value of several, A|B, runs the case once for each; where they answer
// alike, the answer stands once. A name in capitals is no option: it stands for
// its value in the body.
//
// Instances
//   open OPTIONS [families:A,B] [read_only|secondary|follower] [no_logs]
//   reopen ..             the same once it is closed, with all families
//   options OPTIONS       for the next open
//   close, destroy, kill (as if the process had ended: goes on with a copy)
//   reader COMMAND        the same for a second instance of the same database
//   catch_up
// Families
//   family NAME OPTIONS, drop NAME, families
// Updates
//   write ENTRIES [no_log] [sync]   each by itself
//   batch ENTRIES ..                all at once
//   flush [FAMILIES], sync_log, flush_log, set NAME:VALUE.. [family:NAME],
//   set_db NAME:VALUE..
//   compact [FROM-TO] [to:LEVEL] [path:N] [force|skip|optimized] [family:NAME]
//   [history:N]
//   compact_files FILES to:LEVEL, wait, purge
//   history N (raises the low timestamp), snapshot NAME, release NAME
// Entries (script_updates.h): k=v, k+v (merge), k!, k!!, a-c (a range
// deletion),
//   k{:v,name:w} (an entity), with k^5 of a timestamp, family/k of a family;
//   k{01..20}=v# are twenty keys, # the number of each; v*100 is a hundred "v".
// Reads (script_reads.h)
//   get KEYS, entity KEYS, may_exist KEYS, operands KEYS, scan, count, all with
//   what ReadOptions say; iterator ..  and then lines of steps:  > first next
//   to:KEY levels [entries] [sequences] [family:NAME], property NAME, sequence,
//   ticker NAME, option NAME
// Files (script_files.h)
//   files, lost, repair; cut|flip|zero|append|remove|copy|keep FILE ..,
//   restore,
//   put_file NAME TEXT; table NAME ENTRIES, ingest NAMES OPTIONS
#pragma once

#include <functional>
#include <map>
#include <string>

#include "rocksdb/options.h"
#include "tests/db/impl/script_database.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

// What a command does to a database, and its answer.
using DatabaseCommand =
    std::function<std::string(ScriptDatabase&, const ScriptLine&)>;
using DatabaseCommands = std::map<std::string, DatabaseCommand>;

// `options` are those of the databases where a case says nothing else; `more`
// are commands that only one script has.
std::string RunDatabaseCase(const ScriptCase& c, const Options& options,
                            const DatabaseCommands& more = {});

// The same for all of tests/testdata/FILE. Returns how many there
// are.
size_t RunDatabases(const std::string& file,
                    const Options& options = ScriptDatabase::Defaults(),
                    const DatabaseCommands& more = {});

}  // namespace ROCKSDB_NAMESPACE
