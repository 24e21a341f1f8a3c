#include "rocksdb/unique_id.h"

#include <algorithm>

#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

std::string UniqueIdToHumanString(const std::string& id) {
  constexpr size_t kGroupBytes = 8;
  std::string result;
  for (size_t i = 0; i < id.size(); i += kGroupBytes) {
    if (i > 0) result += '-';
    result += ToHex(Slice(id.data() + i, std::min(kGroupBytes, id.size() - i)));
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
