#include "db/intake/family_attacher.h"

#include <memory>
#include <string>
#include <utility>

#include "cache/cache_entry_stats.h"
#include "db/files/log_keeper.h"
#include "db/intake/intake.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FamilyAttacher::FamilyAttacher(const Context& context) : context_(context) {
  INVARIANT(context_.publisher != nullptr);
  INVARIANT((context_.logs == nullptr) == (context_.intake == nullptr));
}

Status FamilyAttacher::Attach(const ColumnFamilyRef& cfd) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  INVARIANT(!context_.families->Has(cfd->id()));
  auto family = std::make_shared<FamilyEntry>(cfd);
  if (const auto cache = GivenBlockCacheOf(*cfd->options())) {
    family->cache_stats = CacheEntryStats::Of(cache);
  }
  FileSystem* const fs = context_.db->fs;
  for (const std::string& path : cfd->tables()->paths()) {
    std::unique_ptr<FSDirectory> directory;
    if (Writes()) {
      Status s = fs->CreateDirIfMissing(path, IOOptions(), nullptr);
      if (s.ok()) s = fs->NewDirectory(path, IOOptions(), &directory, nullptr);
      if (!s.ok()) return s;
    }
    family->directories.push_back(std::move(directory));
  }
  if (cfd->mem() == nullptr) {
    cfd->SwitchMemTable(cfd->NewMemTable(context_.versions->LastSequence()));
  }
  INVARIANT(cfd->mem() != nullptr);
  INVARIANT(!family->directories.empty());
  context_.families->Add(std::move(family));
  const size_t timestamp_size = cfd->order().timestamp_size();
  if (Writes() && timestamp_size != 0) {
    context_.logs->wal()->NoteTimestamps(cfd->id(), timestamp_size);
  }
  if (Writes()) context_.intake->NoteFamily(cfd.get());
  context_.publisher->Publish(cfd.get());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
