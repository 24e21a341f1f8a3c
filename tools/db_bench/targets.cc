#include "tools/db_bench/targets.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"

DEFINE_int32(num_multi_db, 0,
             "Databases, in directories 0, 1 ... of --db; each operation goes "
             "to one of them at random. 0: one, in --db itself.");
DEFINE_int32(num_column_families, 1, "Column families of each database.");
DEFINE_int32(num_hot_column_families, 0,
             "Families that are in use at a time: fills go from so many to the "
             "next. 0: all.");
DEFINE_string(column_family_distribution, "",
              "How many of a hundred operations go to each family, separated "
              "by commas. Empty: as many to each.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The numbers of --column_family_distribution, added up; false if it is none.
bool ReadShares(std::vector<uint32_t>* shares) {
  std::istringstream list(FLAGS_column_family_distribution);
  uint32_t sum = 0;
  for (std::string part; std::getline(list, part, ',');) {
    if (part.empty() || part.size() > 3 ||
        part.find_first_not_of("0123456789") != std::string::npos) {
      return false;
    }
    sum += static_cast<uint32_t>(std::stoul(part));
    shares->push_back(sum);
  }
  return true;
}

}  // namespace

std::string CheckTargetFlags() {
  if (FLAGS_num_column_families < 1) {
    return "--num_column_families: must be at least 1";
  }
  if (FLAGS_num_multi_db < 0) return "--num_multi_db: must not be negative";
  if (FLAGS_num_hot_column_families < 0 ||
      FLAGS_num_hot_column_families > FLAGS_num_column_families) {
    return "--num_hot_column_families: must be from 0 to "
           "--num_column_families";
  }
  if (FLAGS_column_family_distribution.empty()) return "";
  std::vector<uint32_t> shares;
  const auto wanted = static_cast<size_t>(FLAGS_num_hot_column_families > 0
                                              ? FLAGS_num_hot_column_families
                                              : FLAGS_num_column_families);
  if (!ReadShares(&shares) || shares.size() != wanted || shares.back() != 100) {
    return "--column_family_distribution=" + FLAGS_column_family_distribution +
           ": must be " + std::to_string(wanted) +
           " numbers that add up to 100";
  }
  return "";
}

std::string FamilyName(size_t index) {
  if (index == 0) return kDefaultColumnFamilyName;
  return Format("column_family_name_%06zu", index);
}

size_t FamilyCount() { return static_cast<size_t>(FLAGS_num_column_families); }

size_t FamiliesAtFirst() {
  const auto hot = static_cast<size_t>(FLAGS_num_hot_column_families);
  return hot > 0 ? hot : FamilyCount();
}

Targets::Targets() : hot_(FamiliesAtFirst()) { ReadShares(&shares_); }

void Targets::Add(DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
  OneDatabase one;
  one.db = db;
  one.families = handles;
  one.owns_handles = !handles.empty();
  if (handles.empty()) one.families.push_back(db->DefaultColumnFamily());
  made_.store(one.families.size(), std::memory_order_release);
  one.families.resize(std::max(FamilyCount(), one.families.size()));
  databases_.push_back(one);
  is_single_ = databases_.size() == 1 && FamilyCount() == 1;
  single_ = Target{db, one.families.front()};
}

void Targets::Clear() {
  for (const OneDatabase& one : databases_) {
    if (!one.owns_handles) continue;
    for (ColumnFamilyHandle* const family : one.families) {
      if (family == nullptr) continue;
      const Status s = one.db->DestroyColumnFamilyHandle(family);
      if (!s.ok()) fprintf(stderr, "%s\n", s.ToString().c_str());
    }
  }
  databases_.clear();
}

std::vector<Target> Targets::All() const {
  std::vector<Target> all;
  const size_t made = made_.load(std::memory_order_acquire);
  for (const OneDatabase& one : databases_) {
    for (size_t i = 0; i < made; ++i) {
      all.push_back(Target{one.db, one.families[i]});
    }
  }
  return all;
}

// acquire: pairs with the release in MakeFamilies().
size_t Targets::FamilyOf(uint64_t number) const {
  const size_t made = made_.load(std::memory_order_acquire);
  const size_t first = made - std::min(made, hot_);
  if (shares_.empty()) return first + number % (made - first);
  const auto percent = static_cast<uint32_t>(number % 100);
  const auto share = std::upper_bound(shares_.begin(), shares_.end(), percent);
  return first + static_cast<size_t>(share - shares_.begin());
}

Target Targets::PickIn(size_t database, uint64_t number) const {
  const OneDatabase& one = databases_[database];
  return Target{one.db, one.families[FamilyOf(number)]};
}

Target Targets::PickOne(uint64_t number, Random* random) const {
  const size_t database =
      databases_.size() == 1 ? 0 : random->Below(databases_.size());
  return PickIn(database, number);
}

Status Targets::MakeFamilies(size_t stage, const ColumnFamilyOptions& options) {
  const std::lock_guard<std::mutex> lock(making_);
  const size_t end = std::min((stage + 1) * hot_, FamilyCount());
  const size_t made = made_.load(std::memory_order_acquire);
  if (made >= end) return Status::OK();
  for (OneDatabase& one : databases_) {
    for (size_t i = made; i < end; ++i) {
      Status s =
          one.db->CreateColumnFamily(options, FamilyName(i), &one.families[i]);
      if (!s.ok()) return s;
    }
  }
  made_.store(end, std::memory_order_release);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
