#include "db_stress_tool/absent_flags.h"

#include <algorithm>
#include <iterator>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct Absent {
  const char* name;
  const char* off;
  const char* missing;
};

constexpr char kCommitCaches[] =
    "what was committed is kept without a cache of a size that can be set";

constexpr Absent kAbsentFlags[] = {
    {"clear_wp_commit_cache_one_in", "0", kCommitCaches},
    {"verify_cpu_corruption_dir", "",
     "a check that the public interface does not have"},
    {"wp_commit_cache_bits", "23", kCommitCaches},
    {"wp_snapshot_cache_bits", "7", kCommitCaches},
};

const Absent* Find(const std::string& name) {
  const auto found =
      std::find_if(std::begin(kAbsentFlags), std::end(kAbsentFlags),
                   [&](const Absent& flag) { return name == flag.name; });
  return found == std::end(kAbsentFlags) ? nullptr : found;
}

}  // namespace

bool IsAbsentFlag(const std::string& name) { return Find(name) != nullptr; }

Status CheckAbsentFlag(const std::string& name, const std::string& value) {
  const Absent* const flag = Find(name);
  if (flag == nullptr || value == flag->off || value == "0" ||
      value == "false") {
    return Status::OK();
  }
  return Status::NotSupported("--" + name + "=" + value,
                              std::string("not there: ") + flag->missing);
}

}  // namespace ROCKSDB_NAMESPACE::stress
