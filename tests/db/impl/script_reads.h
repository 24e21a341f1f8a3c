// Reads of a script's database, as text.
//
//   get KEYS       a=1  b none, by Get() and, unless "alone" is said, by
//                  MultiGet(), which must agree
//   entity KEYS    a{:v,name:w}, by GetEntity()
//   may_exist KEYS  a may=1 (found), a may? (not known), b not=, c not?
//   operands KEY   [1][2], oldest first; room:N of them
//   scan           a=1  b=2  of a family, both ways unless OPTIONS are given
//   count          3 keys, a to c; each:v# says what the values must be, "#"
//                  for the digits of the key
//   iterator       and then, line by line:  > first next to:KEY ..; with
//                  families:A,B one that coalesces these
//
// Keys may stand in a family: family/key. OPTIONS: family:NAME, and of
// ReadOptions: at:SNAPSHOT, as_of:TIMESTAMP, from:TIMESTAMP (each version is
// shown), lower:KEY, upper:KEY, most:N hidden entries in a call, over:N
// operands, limit:N bytes, tier:cache|memtable|persisted, tail, same_prefix,
// total_order, auto_prefix, ignore_ranges, unchecked, to:KEY (where a scan
// begins), back.
// STEPS: first, last, to:KEY, back:KEY, next, prev, here, refresh,
// refresh:SNAPSHOT.
#pragma once

#include <string>

#include "tests/db/impl/script_database.h"

namespace ROCKSDB_NAMESPACE {

std::string GetKeys(ScriptDatabase& database, const ScriptLine& line);
std::string GetEntities(ScriptDatabase& database, const ScriptLine& line);
std::string AskWhetherKeysMayExist(ScriptDatabase& database,
                                   const ScriptLine& line);
std::string GetOperands(ScriptDatabase& database, const ScriptLine& line);
std::string ScanFamily(ScriptDatabase& database, const ScriptLine& line);
std::string CountKeys(ScriptDatabase& database, const ScriptLine& line);
std::string MakeIterator(ScriptDatabase& database, const ScriptLine& line);
std::string StepIterator(ScriptDatabase& database, const ScriptLine& line);

// L0 [a-c]  L3 [a-m] [n-z], newest first in level 0.
std::string ShowLevels(ScriptDatabase& database, const ScriptLine& line);
std::string ShowProperty(ScriptDatabase& database, const ScriptLine& line);
// The values now of options of the database or of a family.
std::string ShowOption(ScriptDatabase& database, const ScriptLine& line);
std::string ShowTicker(ScriptDatabase& database, const ScriptLine& line);

}  // namespace ROCKSDB_NAMESPACE
