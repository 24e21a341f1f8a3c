// What changes make of the families' current versions, before any of it is
// published: the versions in the making, and the files that come with them.
//
// Threads  As marked; one group of changes is under way at a time.
#pragma once

#include <memory>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/published_versions.h"
#include "db/manifest/version_change.h"
#include "db/version/version_builder.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class NextVersions {
 public:
  // Begins a version for each family whose files change. (mutex)
  NextVersions(const std::vector<VersionChange>& changes,
               PublishedVersions* published);

  // Without the mutex: nothing else changes a family's files meanwhile.
  Status Build(const std::vector<VersionChange>& changes);
  // Opens the new files, so that their readers are warm and their entry counts
  // known before anyone needs them. A file that cannot be opened now says so
  // to whoever reads it. Without the mutex.
  void LoadFigures() const;

  // What was built becomes current. (mutex)
  void Install();
  // Whether the manifest has the changes is not known. (mutex)
  void KeepInDoubt();

 private:
  // A version in the making, and what it follows.
  struct Next {
    ColumnFamilyData* cfd = nullptr;
    VersionRef base;
    VersionRef version;
    std::unique_ptr<VersionBuilder> builder;
  };
  // A file whose figures are not known yet.
  struct AddedFile {
    ColumnFamilyData* cfd = nullptr;
    std::shared_ptr<const MutableCFOptions> options;
    int level = 0;
    FileRef file;
  };

  bool Has(const ColumnFamilyData* cfd) const;
  static Status BuildOne(const std::vector<VersionChange>& changes, Next* next);

  PublishedVersions* const published_;
  std::vector<Next> versions_;
  std::vector<AddedFile> added_;
};

}  // namespace ROCKSDB_NAMESPACE
