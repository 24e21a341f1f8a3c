// The list that GetLiveFilesStorageInfo() gives: every file of a database, and
// how much of each is to be copied.
//
// Threads  One thread; what is added must not change meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/version/version_builder.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LiveFileList {
 public:
  enum class Checksums { kLeftOut, kAdded };
  // `files` is filled in.
  LiveFileList(Checksums checksums, std::vector<LiveFileStorageInfo>* files);

  // The tables and blob files of the family's current version.
  void AddFamily(ColumnFamilyData* cfd);
  // The same of a family that is not open: what the manifest says of it.
  Status AddFamily(const std::vector<DbPath>& paths, VersionBuilder* builder);
  // The manifest in `directory` up to `size_bytes`, and a CURRENT that names
  // it.
  void AddManifest(const std::string& directory, uint64_t number,
                   uint64_t size_bytes);
  // If it is there: a database can do without, and the file may just have been
  // replaced. 0: there is none.
  void AddOptionsFile(FileSystem* fs, const std::string& directory,
                      uint64_t number);
  void AddOptions(const std::string& directory, uint64_t number,
                  uint64_t size_bytes);
  // A blob file that no version lists, as far as the logs refer to it: without
  // an end, which it may have got by now.
  void AddGrowingBlob(const std::string& path, uint64_t number,
                      uint64_t size_bytes);
  // `trim`: the file may have more than `size_bytes`.
  enum class Trim { kNo, kYes };
  void AddLog(const std::string& directory, uint64_t number,
              uint64_t size_bytes, Trim trim);

 private:
  LiveFileStorageInfo& Add(const std::string& directory,
                           const std::string& name, FileType type,
                           uint64_t number);
  // `paths`: the directories of the family.
  void AddTable(const std::vector<std::string>& paths, const FileMeta& file);
  void AddBlob(const std::vector<std::string>& paths, const BlobFile& blob);
  void AddChecksum(const std::string& checksum, const std::string& function,
                   LiveFileStorageInfo* info) const;

  const Checksums checksums_;
  std::vector<LiveFileStorageInfo>* const files_;
};

}  // namespace ROCKSDB_NAMESPACE
