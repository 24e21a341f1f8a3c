// Applies edits to a version's files and yields the next version's.
//
// Errors   Corruption for an edit that does not fit: a file added twice, one
//          deleted that is not at that level, garbage in a blob file that is
//          not there or not so large.
// Threads  One thread (the manifest writer, or recovery). The base is only
//          read, and must outlive the builder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/version/version_edit.h"
#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

class VersionBuilder {
 public:
  // `base` may be null: an empty version.
  explicit VersionBuilder(const VersionStorage* base);

  // After a failure the builder is of no more use.
  Status Apply(const VersionEdit& edit);
  // Counts no more bytes of garbage in a file than Apply() takes. For families
  // that leave out timestamps: where keys had none when a file was written, its
  // records are shorter than they are counted.
  void LimitGarbage(VersionEdit* edit) const;

  // The lists for VersionStorage::Build(), the files of the base first, in
  // its order. A file of the base that was moved keeps its FileMeta object, so
  // that its life does not end between two levels.
  // InvalidArgument if a file stands at or below `level_count`.
  Status Finish(int level_count,
                std::vector<std::vector<FileRef>>* levels) const;
  // The blob files that those tables still need (db-format.md 7.5): none below
  // the oldest that a table is linked to, and none that is all garbage.
  BlobFileList FinishBlobs(
      const std::vector<std::vector<FileRef>>& levels) const;

 private:
  struct BaseFile {
    int level = 0;
    FileRef file;
  };
  // By number, where an edit has asked: filled level by level, on demand.
  const BaseFile* FindInBase(uint64_t number);
  Status Delete(int level, uint64_t number);
  Status Add(const VersionEdit::NewFile& entry);
  Status AddBlobFile(const BlobFileAddition& addition);
  Status AddGarbage(const BlobFileGarbage& garbage);
  void Link(const FileMeta& table);
  void Unlink(const FileMeta& table);
  void DropUnlinkedBlobs();

  const VersionStorage* const base_;
  bool is_base_indexed_ = false;
  std::unordered_map<uint64_t, BaseFile> base_files_;
  // Files of the base that are not where they were.
  std::unordered_set<uint64_t> removed_;
  // Files that are not in the base, or moved: number -> where it is.
  std::map<uint64_t, VersionEdit::NewFile> added_;
  std::map<uint64_t, BlobFileState> blobs_;
  // Oldest blob files of tables, as of the last edit: number -> tables. Not
  // kept where the base has no blob files.
  std::map<uint64_t, size_t> links_;
};

// Gives every file an epoch if some lack one (db-format.md 5.7); returns the
// next free epoch, at least `first`.
uint64_t AssignMissingEpochs(std::vector<std::vector<FileRef>>* levels,
                             uint64_t first = kReservedEpoch);

}  // namespace ROCKSDB_NAMESPACE
