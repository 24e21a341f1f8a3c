// Families with memtables and without files, and what a database keeps for
// each, without a database around them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/registry/family_registry.h"
#include "options/sanitize.h"
#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {

class FamilyWorld {
 public:
  FamilyWorld() {
    f.family.level_compaction_dynamic_level_bytes = false;
    f.Open(true);
    context.db = f.db.get();
    context.tables.paths = {"/db"};
    context.mutex = &mutex;
  }
  ~FamilyWorld() {
    std::vector<SuperVersion*> garbage;
    {
      MutexLock lock(&mutex);
      for (const auto& entry : families) {
        entry.second->cfd->DropReferences(&garbage);
      }
    }
    for (SuperVersion* state : garbage) {
      const std::unique_ptr<SuperVersion> last(state);
    }
  }

  // Options are those of `f.family`, as they are now.
  FamilyRef Make(uint32_t id, const std::string& name) {
    auto cfd = std::make_shared<ColumnFamilyData>(
        id, name, SanitizeColumnFamilyOptions(*f.db, f.family), context);
    const int level_count = cfd->ioptions().num_levels;
    MutexLock lock(&mutex);
    auto version =
        std::make_shared<Version>(cfd.get(), 1, &cfd->order(), level_count);
    EXPECT_TRUE(version->mutable_storage()
                    ->Build(std::vector<std::vector<FileRef>>(level_count),
                            /*is_complete=*/true)
                    .ok());
    cfd->InstallVersion(std::move(version));
    cfd->SwitchMemTable(cfd->NewMemTable(0));
    return std::make_shared<FamilyEntry>(std::move(cfd));
  }
  FamilyRef Add(uint32_t id, const std::string& name) {
    FamilyRef family = Make(id, name);
    MutexLock lock(&mutex);
    families.Add(family);
    return family;
  }

  // The family has these files, by level, from here on.
  void Install(const FamilyRef& family,
               std::vector<std::vector<FileRef>> levels,
               BlobFileList blobs = {}) {
    ColumnFamilyData* const cfd = family->cfd.get();
    const int level_count = cfd->ioptions().num_levels;
    levels.resize(level_count);
    MutexLock lock(&mutex);
    auto version = std::make_shared<Version>(cfd, ++last_version, &cfd->order(),
                                             level_count);
    EXPECT_TRUE(version->mutable_storage()
                    ->Build(std::move(levels), /*check_consistency=*/true,
                            std::move(blobs))
                    .ok());
    cfd->InstallVersion(std::move(version));
  }
  // N.blob with so many bytes of records, in no file system.
  static BlobFileState Blob(uint64_t number, uint64_t record_bytes) {
    BlobFileAddition addition;
    addition.number = number;
    addition.total_count = 10;
    addition.total_bytes = record_bytes;
    BlobFileState state;
    state.file = std::make_shared<BlobFile>(std::move(addition));
    state.file->path = BlobFileName("/db", number);
    return state;
  }

  TableFiles f;
  Mutex mutex;
  uint64_t last_version = 1;
  ColumnFamilyData::Context context;
  FamilyRegistry families GUARDED_BY(mutex);
};

}  // namespace ROCKSDB_NAMESPACE
