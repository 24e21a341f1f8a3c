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

constexpr Absent kAbsentFlags[] = {
    {"blob_db_enable_gc", "false",
     "BlobDB, the stacked one: it has no public interface"},
    {"blob_db_file_size", "268435456",
     "BlobDB, the stacked one: it has no public interface"},
    {"ingest_external_file_use_file_info_one_in", "0",
     "other kinds of ingestion"},
    {"set_in_place_one_in", "0",
     "a call that the public interface does not have"},
    {"sqfc_name", "foo", "indexes of the user"},
    {"sqfc_version", "0", "indexes of the user"},
    {"use_blob_db", "false",
     "BlobDB, the stacked one: it has no public interface"},
    {"use_sqfc_for_range_queries", "true", "indexes of the user"},
    {"use_trie_index", "false", "indexes of the user"},
    {"verify_cpu_corruption_dir", "",
     "a check that the public interface does not have"},
    {"wp_commit_cache_bits", "23", "an option of transactions that is public"},
    {"wp_snapshot_cache_bits", "7", "an option of transactions that is public"},
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
