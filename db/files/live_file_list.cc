#include "db/files/live_file_list.h"

#include <algorithm>

#include "file/filename.h"
#include "rocksdb/file_checksum.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

LiveFileList::LiveFileList(Checksums checksums,
                           std::vector<LiveFileStorageInfo>* files)
    : checksums_(checksums), files_(files) {
  INVARIANT(files_ != nullptr);
}

LiveFileStorageInfo& LiveFileList::Add(const std::string& directory,
                                       const std::string& name, FileType type,
                                       uint64_t number) {
  LiveFileStorageInfo& info = files_->emplace_back();
  info.relative_filename = name.substr(name.find_last_of('/') + 1);
  info.directory = directory;
  info.file_number = number;
  info.file_type = type;
  // Files that are no tables have none, too.
  if (checksums_ != Checksums::kLeftOut) {
    info.file_checksum_func_name = kUnknownFileChecksumFuncName;
  }
  return info;
}

void LiveFileList::AddChecksum(const std::string& checksum,
                               const std::string& function,
                               LiveFileStorageInfo* info) const {
  if (checksums_ == Checksums::kLeftOut) return;
  info->file_checksum = checksum;
  info->file_checksum_func_name = ChecksumFunctionName(function);
}

void LiveFileList::AddFamily(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  const std::vector<std::string>& paths = cfd->tables()->paths();
  const VersionStorage& storage = cfd->current()->storage();
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) AddTable(paths, *file);
  }
  for (const BlobFileState& blob : storage.blobs()) AddBlob(paths, *blob.file);
}

Status LiveFileList::AddFamily(const std::vector<DbPath>& paths,
                               VersionBuilder* builder) {
  INVARIANT(builder != nullptr && !paths.empty());
  std::vector<std::string> directories;
  for (const DbPath& path : paths) directories.push_back(path.path);
  // Nobody says how many there are.
  constexpr int kMostLevels = 64;
  std::vector<std::vector<FileRef>> levels;
  Status s = builder->Finish(kMostLevels, &levels);
  if (!s.ok()) return s;
  for (const std::vector<FileRef>& level : levels) {
    for (const FileRef& file : level) AddTable(directories, *file);
  }
  for (const BlobFileState& blob : builder->FinishBlobs(levels)) {
    AddBlob(directories, *blob.file);
  }
  return s;
}

void LiveFileList::AddTable(const std::vector<std::string>& paths,
                            const FileMeta& file) {
  const size_t path = std::min<size_t>(file.path_id, paths.size() - 1);
  LiveFileStorageInfo& info =
      Add(paths[path], MakeTableFileName(file.number), kTableFile, file.number);
  info.size = file.size_bytes;
  info.temperature = file.temperature;
  AddChecksum(file.checksum, file.checksum_function, &info);
}

void LiveFileList::AddBlob(const std::vector<std::string>& paths,
                           const BlobFile& blob) {
  const BlobFileAddition& record = blob.record;
  LiveFileStorageInfo& info =
      Add(paths.front(), BlobFileName(record.number), kBlobFile, record.number);
  info.size = blob.size_bytes();
  AddChecksum(record.checksum_value, record.checksum_method, &info);
}

void LiveFileList::AddGrowingBlob(const std::string& path, uint64_t number,
                                  uint64_t size_bytes) {
  LiveFileStorageInfo& info = Add(path.substr(0, path.rfind('/')),
                                  BlobFileName(number), kBlobFile, number);
  info.size = size_bytes;
  info.trim_to_size = true;
}

void LiveFileList::AddManifest(const std::string& directory, uint64_t number,
                               uint64_t size_bytes) {
  INVARIANT(number != 0);
  LiveFileStorageInfo& manifest =
      Add(directory, DescriptorFileName("", number), kDescriptorFile, number);
  // It may grow while it is copied.
  manifest.size = size_bytes;
  manifest.trim_to_size = true;
  const std::string name = manifest.relative_filename;
  LiveFileStorageInfo& current =
      Add(directory, CurrentFileName(""), kCurrentFile, 0);
  // And another one may come into force.
  current.replacement_contents = name + "\n";
  current.size = current.replacement_contents.size();
}

void LiveFileList::AddOptions(const std::string& directory, uint64_t number,
                              uint64_t size_bytes) {
  INVARIANT(number != 0);
  Add(directory, OptionsFileName("", number), kOptionsFile, number).size =
      size_bytes;
}

void LiveFileList::AddLog(const std::string& directory, uint64_t number,
                          uint64_t size_bytes, Trim trim) {
  INVARIANT(number != 0);
  LiveFileStorageInfo& log =
      Add(directory, LogFileName("", number), kWalFile, number);
  log.size = size_bytes;
  log.trim_to_size = trim == Trim::kYes;
}

void LiveFileList::AddOptionsFile(FileSystem* fs, const std::string& directory,
                                  uint64_t number) {
  if (number == 0) return;
  uint64_t size_bytes = 0;
  const IOStatus s = fs->GetFileSize(OptionsFileName(directory, number),
                                     IOOptions(), &size_bytes, nullptr);
  if (s.ok()) AddOptions(directory, number, size_bytes);
}

}  // namespace ROCKSDB_NAMESPACE
