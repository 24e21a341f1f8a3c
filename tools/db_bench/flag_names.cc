#include "tools/db_bench/flag_names.h"

#include <gflags/gflags.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Characters to add, to take away or to replace until `a` is `b`.
size_t ChangeCount(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

bool IsFlag(const std::string& name, bool* is_boolean) {
  gflags::CommandLineFlagInfo info;
  if (gflags::GetCommandLineFlagInfo(name.c_str(), &info)) {
    *is_boolean = info.type == "bool";
    return true;
  }
  *is_boolean = true;
  return name.starts_with("no") &&
         gflags::GetCommandLineFlagInfo(name.c_str() + 2, &info) &&
         info.type == "bool";
}

}  // namespace

namespace {

// The names of --undefok, which need not be flags, between commas.
std::string ToleratedFlags(int argc, char** argv) {
  constexpr std::string_view kFlag = "-undefok=";
  std::string names = ",";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const size_t at = word.find(kFlag);
    if (at > 1) continue;
    names.append(word.substr(at + kFlag.size())).push_back(',');
  }
  return names;
}

}  // namespace

std::string FirstUnknownFlag(int argc, char** argv) {
  const std::string tolerated = ToleratedFlags(argc, argv);
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-') continue;
    word.erase(0, word[1] == '-' ? 2 : 1);
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    bool is_boolean = false;
    if (!IsFlag(name, &is_boolean)) {
      if (tolerated.find("," + name + ",") == std::string::npos) return name;
      continue;
    }
    // The next word is its value.
    if (equals == std::string::npos && !is_boolean) ++i;
  }
  return "";
}

std::string NearestFlag(const std::string& name) {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  std::string nearest;
  // More changes than a third of the name are no slip of the hand.
  size_t fewest = name.size() / 3 + 1;
  for (const gflags::CommandLineFlagInfo& flag : all) {
    const size_t count = ChangeCount(name, flag.name);
    if (count >= fewest) continue;
    fewest = count;
    nearest = flag.name;
  }
  return nearest;
}

}  // namespace ROCKSDB_NAMESPACE::bench
