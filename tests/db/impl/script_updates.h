// Updates of a script's database, from text.
//
//   k=v    a value        k!    a deletion       k!!  a single deletion
//   k+v    an operand     a-c   a range deletion, of [a, c)
//   k{:v,name:w}          an entity
//
// Before the key may stand "family/", behind it "^5", a timestamp. k{01..20}=v#
// stands for twenty, "#" for the number of each. v*100 is a hundred "v", also
// in a key; "\x00" is a byte.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rocksdb/status.h"
#include "tests/db/impl/script_database.h"

namespace ROCKSDB_NAMESPACE {

class SstFileWriter;

struct ScriptEntry {
  enum Kind { kPut, kDelete, kSingleDelete, kMerge, kDeleteRange, kEntity };

  Kind kind = kPut;
  std::string family = kDefaultColumnFamilyName;
  std::string key, end, value, timestamp;
  std::vector<std::pair<std::string, std::string>> columns;
};

// "a{1..3}b" as a1b a2b a3b; any other text as it is.
std::vector<std::string> ExpandNumbers(const std::string& word);
// v*100 and \xHH as bytes, and back.
std::string BytesOfValue(const std::string& text);
std::string TextOfValue(const std::string& bytes);
// Eight bytes, or nothing.
std::string TimestampBytes(const std::string& number);

// Words without an entry, such as "sync", are left out.
std::vector<ScriptEntry> EntriesOf(const std::string& words);

// What the verbs of this header do.
std::string WriteEach(ScriptDatabase& database, const ScriptLine& line);
std::string WriteBatchOf(ScriptDatabase& database, const ScriptLine& line);
// Into a file for ingestion.
Status AddToFile(const ScriptEntry& entry, SstFileWriter* writer);

}  // namespace ROCKSDB_NAMESPACE
