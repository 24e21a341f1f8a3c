// The properties that are text of a family, which the mutex allows to be
// written: one table.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class DatabaseStats;
struct FamilyEntry;
struct Observed;
class VersionStorage;

// What a text is made of. (mutex)
struct TextSource {
  const Observed& observed;
  DatabaseStats* counts;
  const FamilyEntry& family;
  uint64_t number = 0;  // at the end of the property's name
};

struct FamilyText {
  std::string (*text)(const TextSource& source) = nullptr;
  // What the number at the end of the name is below; null: there is none.
  uint64_t (*limit)(const VersionStorage& storage) = nullptr;
};

const std::map<std::string, FamilyText>& FamilyTexts();

// False: `property` is none of them. (mutex)
bool WriteFamilyText(TextSource source, const Slice& property,
                     std::string* text);

// What the whole database has counted; and since the call before. (mutex)
std::string DatabaseText(const Observed& observed, DatabaseStats* counts);

}  // namespace ROCKSDB_NAMESPACE
