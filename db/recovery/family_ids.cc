#include "db/recovery/family_ids.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The ids between two that are known, both exclusive, and the names for them.
struct IdGap {
  uint32_t before = 0;
  uint32_t behind = UINT32_MAX;  // UINT32_MAX: there is no end
  std::vector<std::string> names;
};

void FillGap(const IdGap& gap, const std::set<uint32_t>& logged,
             std::map<std::string, uint32_t>* result) {
  if (gap.names.empty()) return;
  const std::vector<uint32_t> found(logged.upper_bound(gap.before),
                                    logged.lower_bound(gap.behind));
  const size_t count = gap.names.size();
  const uint32_t first = gap.before + 1;
  // None was dropped, as far as anybody can tell.
  const bool is_dense = gap.behind == UINT32_MAX
                            ? found.empty() || found.back() < first + count
                            : gap.behind - first == count;
  if (!is_dense && found.size() != count) return;
  for (size_t i = 0; i < count; ++i) {
    (*result)[gap.names[i]] =
        is_dense ? first + static_cast<uint32_t>(i) : found[i];
  }
}

}  // namespace

std::map<std::string, uint32_t> FindFamilyIds(const KnownFamilies& known) {
  std::map<std::string, uint32_t> result;
  IdGap gap;
  for (const std::string& name : known.in_order) {
    const auto found = known.ids.find(name);
    if (found == known.ids.end()) {
      gap.names.push_back(name);
      continue;
    }
    // A file that contradicts the tables tells nothing of order.
    if (found->second < gap.before) return {};
    gap.behind = found->second;
    FillGap(gap, known.logged, &result);
    gap = {.before = found->second, .behind = UINT32_MAX, .names = {}};
  }
  FillGap(gap, known.logged, &result);
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
