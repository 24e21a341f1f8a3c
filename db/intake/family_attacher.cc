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

Status FamilyAttacher::OpenDirectories(const ColumnFamilyOptions& sanitized,
                                       Directories* directories) const {
  INVARIANT(!sanitized.cf_paths.empty());
  std::vector<std::string> paths;
  for (const DbPath& path : sanitized.cf_paths) paths.push_back(path.path);
  return Open(paths, directories);
}

Status FamilyAttacher::Open(const std::vector<std::string>& paths,
                            Directories* directories) const {
  INVARIANT(directories != nullptr);
  FileSystem* const fs = context_.db->fs;
  Directories opened;
  for (const std::string& path : paths) {
    std::unique_ptr<FSDirectory> directory;
    if (Writes()) {
      Status s = fs->CreateDirIfMissing(path, IOOptions(), nullptr);
      if (s.ok()) s = fs->NewDirectory(path, IOOptions(), &directory, nullptr);
      if (!s.ok()) return s;
    }
    opened.push_back(std::move(directory));
  }
  *directories = std::move(opened);
  return Status::OK();
}

Status FamilyAttacher::Attach(const ColumnFamilyRef& cfd) {
  INVARIANT(cfd != nullptr);
  Directories directories;
  if (Status s = Open(cfd->tables()->paths(), &directories); !s.ok()) return s;
  Attach(cfd, std::move(directories));
  return Status::OK();
}

void FamilyAttacher::Attach(const ColumnFamilyRef& cfd,
                            Directories directories) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  INVARIANT(!context_.families->Has(cfd->id()));
  INVARIANT(directories.size() == cfd->tables()->paths().size());
  auto family = std::make_shared<FamilyEntry>(cfd);
  if (const auto cache = GivenBlockCacheOf(*cfd->options())) {
    family->cache_stats = CacheEntryStats::Of(cache);
  }
  family->directories = std::move(directories);
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
}

}  // namespace ROCKSDB_NAMESPACE
