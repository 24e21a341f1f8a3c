#include "db/files/options_files.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "db/files/obsolete_files.h"
#include "db/files/pending_outputs.h"
#include "db/manifest/version_set.h"
#include "file/filename.h"
#include "options/options_file.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kOptionsFilesToKeep = 2;
static_assert(kOptionsFilesToKeep >= 1, "the newest one is in use");

}  // namespace

OptionsFiles::OptionsFiles(Context context)
    : context_(std::move(context)), mutex_(context_.mutex) {
  INVARIANT(context_.directory != nullptr);
  INVARIANT(!context_.db_name.empty());
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(context_.versions != nullptr);
}

Status OptionsFiles::Write(const MutableDBOptions& now, Old old) {
  mutex_->AssertHeld();
  VersionSet* const versions = context_.versions;
  const PendingOutputs::Hold pending =
      context_.obsolete->pending_outputs()->HoldFrom(
          versions->next_file_number());
  OptionsFile file;
  file.db = BuildDBOptions(*context_.db, now);
  for (const ColumnFamilyRef& cfd : versions->families()->all()) {
    file.families.push_back(
        {cfd->name(),
         BuildColumnFamilyOptions(cfd->ioptions(), *cfd->options())});
  }
  INVARIANT(!file.families.empty());
  const uint64_t temporary = versions->NewFileNumber();
  const uint64_t number = versions->NewFileNumber();
  INVARIANT(temporary < number);
  INVARIANT(current_ < number);
  FileSystem* fs = context_.db->fs;
  mutex_->Unlock();
  const std::string text = PrintOptionsFile(file);
  const std::string temp_path =
      TempOptionsFileName(context_.db_name, temporary);
  const std::string path = OptionsFileName(context_.db_name, number);
  Status s = WriteStringToFile(fs, text, temp_path, /*should_sync=*/true);
  std::string written;
  if (s.ok()) s = ReadFileToString(fs, temp_path, &written);
  if (s.ok()) s = VerifyOptionsFile(path, written, file);
  if (s.ok()) s = fs->RenameFile(temp_path, path, IOOptions(), nullptr);
  if (s.ok()) s = context_.directory->Fsync(IOOptions(), nullptr);
  if (!s.ok()) {
    IgnoreError(fs->DeleteFile(temp_path, IOOptions(), nullptr),
                "it may not have been made");
  }
  mutex_->Lock();
  if (!s.ok()) return s;
  // Others may have written newer ones meanwhile.
  current_ = std::max(current_, number);
  if (old == Old::kKept) return s;
  const uint64_t current = current_;
  MutexUnlock unlock(mutex_);
  RemoveOld(current);
  return s;
}

// Listings name the current one until a newer one is: newer files may be there
// that nobody has been told of.
void OptionsFiles::RemoveOld(uint64_t current) {
  std::vector<std::string> names;
  if (!context_.db->fs
           ->GetChildren(context_.db_name, IOOptions(), &names, nullptr)
           .ok()) {
    return;  // The next scan removes them.
  }
  std::vector<ObsoleteFiles::LeftOver> old;
  std::set<uint64_t> numbers;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (ParseFileName(name, &number, &type) && type == kOptionsFile) {
      numbers.insert(number);
    }
  }
  while (numbers.size() > kOptionsFilesToKeep && *numbers.begin() < current) {
    const uint64_t number = *numbers.begin();
    numbers.erase(numbers.begin());
    old.push_back(
        {OptionsFileName(context_.db_name, number), kOptionsFile, number});
  }
  context_.obsolete->AddLeftOvers(std::move(old));
  context_.obsolete->Purge();
}

}  // namespace ROCKSDB_NAMESPACE
