// Files of a script's database: damage to them, and files for ingestion.
//
//   files                      1 log, 2 tables, 1 manifest
//   cut FILE N                 N bytes at the end go; to:N leaves N
//   flip FILE N                the Nth byte from the end is inverted; at:N from
//                              the start
//   zero FILE N                the last N bytes become zero; at:N to:M, those
//                              between
//   append FILE N [BYTE]       N bytes are added
//   remove FILE
//   copy FILE NAME
//   keep FILES, restore        all that were kept are as they were then
//   unchanged                  whether they are
//   put_file NAME TEXT         a file beside the others, or in place of one
//   repair, lost               RepairDB(), and what it has put away
//   table NAME ENTRIES         beside the database
//   ingest NAMES [behind] [strict] [no_flush] [move] [no_sequence]
//     [last_level] [family:NAME]
//
// FILE: log2 (the second oldest), log (the newest), table1, blob1, manifest,
// options, current.
#pragma once

#include <string>

#include "tests/db/impl/script_database.h"

namespace ROCKSDB_NAMESPACE {

std::string ShowFiles(ScriptDatabase& database, const ScriptLine& line);
std::string ShowLost(ScriptDatabase& database, const ScriptLine& line);
// cut, flip, zero, append.
std::string DamageOne(ScriptDatabase& database, const ScriptLine& line);
std::string RemoveFiles(ScriptDatabase& database, const ScriptLine& line);
std::string CopyOne(ScriptDatabase& database, const ScriptLine& line);
std::string KeepFiles(ScriptDatabase& database, const ScriptLine& line);
std::string RestoreFiles(ScriptDatabase& database, const ScriptLine& line);
std::string ShowUnchanged(ScriptDatabase& database, const ScriptLine& line);
std::string PutFile(ScriptDatabase& database, const ScriptLine& line);
std::string RepairFiles(ScriptDatabase& database, const ScriptLine& line);
std::string MakeTable(ScriptDatabase& database, const ScriptLine& line);
std::string IngestTables(ScriptDatabase& database, const ScriptLine& line);

}  // namespace ROCKSDB_NAMESPACE
