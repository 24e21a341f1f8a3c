#include "db/jobs/file_drop.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/job_errors.h"
#include "db/files/obsolete_files.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_queue.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/version/version_edit.h"
#include "db/write/family_publisher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using FileList = std::vector<FileRef>;

// Whether all keys of the file lie in the range.
bool LiesWithin(const InternalKeyComparator& order, const FileMeta& file,
                const RangePtr& range, bool include_end) {
  const Slice smallest = file.smallest.user_key();
  const Slice largest = file.largest.user_key();
  assert(order.CompareUserKeys(smallest, largest) <= 0);
  if (range.start != nullptr &&
      order.CompareToGiven(smallest, *range.start) < 0) {
    return false;
  }
  if (range.limit == nullptr) return true;
  const int at_end = order.CompareToGiven(largest, *range.limit);
  return include_end ? at_end <= 0 : at_end < 0;
}

// Neighbours of one level may share a user key, whose newest version is in the
// first of them: it must not go while older ones stay in the second.
// (*chosen)[i] belongs to files[i].
void KeepSharedKeys(const InternalKeyComparator& order, const FileList& files,
                    std::vector<bool>* chosen) {
  INVARIANT(chosen->size() == files.size());
  for (size_t i = files.size(); i >= 2; --i) {
    const FileMeta& first = *files[i - 2];
    const FileMeta& second = *files[i - 1];
    if (!(*chosen)[i - 1] &&
        order.CompareUserKeys(first.largest.user_key(),
                              second.smallest.user_key()) == 0) {
      (*chosen)[i - 2] = false;
    }
  }
}

FileList FilesWithin(const InternalKeyComparator& order, const FileList& files,
                     const RangePtr* ranges, size_t n, bool include_end) {
  assert(n == 0 || ranges != nullptr);
  std::vector<bool> chosen;
  for (const FileRef& file : files) {
    chosen.push_back(!file->being_compacted &&
                     std::any_of(ranges, ranges + n, [&](const RangePtr& r) {
                       return LiesWithin(order, *file, r, include_end);
                     }));
  }
  KeepSharedKeys(order, files, &chosen);
  FileList result;
  for (size_t i = 0; i < files.size(); ++i) {
    if (chosen[i]) result.push_back(files[i]);
  }
  assert(result.size() <= files.size());
  return result;
}

}  // namespace

Status FileDrop::Drop(ColumnFamilyData* cfd, const RangePtr* ranges, size_t n,
                      bool include_end) {
  INVARIANT(cfd != nullptr);
  const ObsoleteFiles::PurgeAtEnd purge(context_.obsolete);
  Status s;
  {
    MutexLock lock(context_.mutex);
    if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    VersionEdit edit;
    FileList files;
    const VersionRef version = cfd->current();
    for (int level = 1; level < version->storage().level_count(); ++level) {
      for (const FileRef& file :
           FilesWithin(cfd->order(), version->storage().files(level), ranges, n,
                       include_end)) {
        // No compaction may take it while the manifest is being written.
        INVARIANT(!file->being_compacted);
        file->being_compacted = true;
        edit.DeleteFile(level, file->number);
        files.push_back(file);
      }
    }
    if (files.empty()) return s;
    INVARIANT(edit.deleted_files.size() == files.size());
    s = context_.versions->LogAndApply({{cfd, &edit}}, context_.directory);
    for (const FileRef& file : files) file->being_compacted = false;
    if (!s.ok()) {
      context_.errors->OnManifestError(s);
      return s;
    }
    context_.compactions->Score(cfd);
    context_.publisher->Publish(cfd);
    context_.compactions->Add(cfd);
    context_.scheduler->MaybeSchedule();
    context_.changes->Note();
  }
  context_.clean_up->Purge();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
