#include "utilities/backup/copied_files.h"

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "file/writable_file_writer.h"
#include "util/crc32c.h"
#include "util/ignore_error.h"
#include "util/string_util.h"
#include "utilities/backup/backup_catalog.h"
#include "utilities/backup/backup_names.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kRecordEnding = ".copied.tmp";
constexpr std::string_view kSumField = " sum ";

std::string RecordLine(const BackupFile& file) {
  std::string line = file.path + " crc32 " + std::to_string(file.crc32c) +
                     " size " + std::to_string(file.size_bytes);
  const uint32_t sum = crc32c::Value(line.data(), line.size());
  return line.append(kSumField) + std::to_string(sum) + "\n";
}

bool ParseRecordNumber(const std::string& word, uint64_t* value) {
  Slice rest(word);
  return ConsumeDecimalNumber(&rest, value) && rest.empty();
}

// A line that was torn by a crash is none.
bool ParseRecordLine(const std::string& line, BackupFile* file) {
  const size_t end = line.rfind(kSumField);
  uint64_t sum = 0;
  if (end == std::string::npos ||
      !ParseRecordNumber(line.substr(end + kSumField.size()), &sum) ||
      sum != crc32c::Value(line.data(), end)) {
    return false;
  }
  const std::vector<std::string> words = SplitString(line.substr(0, end), ' ');
  uint64_t crc = 0;
  if (words.size() != 5 || !IsSharedPath(words[0]) || !IsBackupPath(words[0]) ||
      !ParseRecordNumber(words[2], &crc) ||
      crc > std::numeric_limits<uint32_t>::max() ||
      !ParseRecordNumber(words[4], &file->size_bytes)) {
    return false;
  }
  file->path = words[0];
  file->crc32c = static_cast<uint32_t>(crc);
  file->has_crc32c = true;
  return true;
}

}  // namespace

CopiedFileMap DecodeCopiedFiles(const Slice& text) {
  CopiedFileMap result;
  for (const std::string& line : SplitString(text.ToStringView(), '\n')) {
    BackupFile file;
    if (ParseRecordLine(line, &file)) result[file.path] = file;
  }
  return result;
}

CopiedFileMap FindCopiedFiles(const BackupCatalog& catalog) {
  CopiedFileMap result;
  FileSystem* fs = catalog.fs().get();
  const std::string meta = catalog.PathOf(kBackupMetaDir);
  std::vector<std::string> names;
  if (!fs->GetChildren(meta, IOOptions(), &names, nullptr).ok()) return result;
  for (const std::string& name : names) {
    if (!EndsWith(name, kRecordEnding)) continue;
    std::string text;
    if (ReadFileToString(fs, meta + "/" + name, &text).ok()) {
      result.merge(DecodeCopiedFiles(text));
    }
  }
  std::erase_if(result, [&](const auto& entry) {
    uint64_t size = 0;
    return !fs->GetFileSize(catalog.PathOf(entry.first), IOOptions(), &size,
                            nullptr)
                .ok() ||
           size != entry.second.size_bytes;
  });
  return result;
}

CopiedFilesRecord::CopiedFilesRecord(const BackupCatalog& catalog, BackupID id,
                                     const CopiedFileMap& found)
    : fs_(catalog.fs()),
      path_(catalog.PathOf(std::string(kBackupMetaDir) + "/." +
                           std::to_string(id) + std::string(kRecordEnding))) {
  std::string lines;
  for (const auto& [path, file] : found) lines += RecordLine(file);
  MutexLock lock(&mutex_);
  IgnoreError(
      WritableFileWriter::Create(fs_.get(), path_, FileOptions(), &writer_),
      "without a record files are copied again");
  Append(lines);
}

CopiedFilesRecord::~CopiedFilesRecord() = default;

void CopiedFilesRecord::Append(const std::string& lines) {
  if (writer_ == nullptr) return;
  IOStatus s = writer_->Append(lines);
  if (s.ok()) s = writer_->Flush();
  if (!s.ok()) writer_.reset();
}

void CopiedFilesRecord::Note(const BackupFile& file) {
  MutexLock lock(&mutex_);
  Append(RecordLine(file));
}

void CopiedFilesRecord::Delete() {
  MutexLock lock(&mutex_);
  writer_.reset();
  IgnoreError(fs_->DeleteFile(path_, IOOptions(), nullptr),
              "what stays is garbage, which is collected later");
}

}  // namespace ROCKSDB_NAMESPACE
