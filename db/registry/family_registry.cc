#include "db/registry/family_registry.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void FamilyRegistry::Add(FamilyRef family) {
  INVARIANT(family != nullptr);
  INVARIANT(family->picker != nullptr);
  const uint32_t id = family->cfd->id();
  const bool is_new = by_id_.emplace(id, std::move(family)).second;
  INVARIANT(is_new);
}

void FamilyRegistry::Remove(uint32_t id) {
  const size_t removed = by_id_.erase(id);
  INVARIANT(removed == 1);
}

FamilyRegistry::Map FamilyRegistry::TakeAll() {
  Map all;
  all.swap(by_id_);
  return all;
}

FamilyRef FamilyRegistry::Find(uint32_t id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  assert(found->second->cfd->id() == id);
  return found->second;
}

std::vector<ColumnFamilyData*> FamilyRegistry::All() const {
  std::vector<ColumnFamilyData*> all;
  for (const auto& entry : by_id_) all.push_back(entry.second->cfd.get());
  INVARIANT(!all.empty());
  return all;
}

std::vector<ColumnFamilyRef> FamilyRegistry::Hold() const {
  std::vector<ColumnFamilyRef> held;
  for (const auto& entry : by_id_) held.push_back(entry.second->cfd);
  return held;
}

// Whoever holds a FileRef keeps the file on disk.
std::vector<LiveTable> FamilyRegistry::LiveTables() const {
  std::vector<LiveTable> tables;
  for (const auto& entry : by_id_) {
    const ColumnFamilyRef& cfd = entry.second->cfd;
    const VersionStorage& storage = cfd->current()->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        tables.push_back({cfd, cfd->options(), level, file});
      }
    }
  }
  return tables;
}

void FamilyRegistry::AddPaths(std::vector<std::string>* paths) const {
  INVARIANT(paths != nullptr);
  for (const auto& entry : by_id_) {
    for (const std::string& path : entry.second->cfd->tables()->paths()) {
      if (std::find(paths->begin(), paths->end(), path) == paths->end()) {
        paths->push_back(path);
      }
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
