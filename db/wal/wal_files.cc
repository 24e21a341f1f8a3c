#include "db/wal/wal_files.h"

#include <algorithm>
#include <map>

#include "db/wal/log_reader.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ListedWalFile final : public WalFile {
 public:
  explicit ListedWalFile(const WalFileFacts& facts) : facts_(facts) {}

  std::string PathName() const override {
    return facts_.type == kArchivedLogFile
               ? ArchivedLogFileName("", facts_.number)
               : LogFileName("", facts_.number);
  }
  uint64_t LogNumber() const override { return facts_.number; }
  WalFileType Type() const override { return facts_.type; }
  SequenceNumber StartSequence() const override {
    return facts_.start_sequence;
  }
  uint64_t SizeFileBytes() const override { return facts_.size_bytes; }

 private:
  const WalFileFacts facts_;
};

// The numbers of the logs in a directory, which may not be there.
Status NumbersIn(FileSystem* fs, const std::string& directory,
                 std::vector<uint64_t>* numbers) {
  INVARIANT(numbers != nullptr);
  std::vector<std::string> names;
  Status s = fs->GetChildren(directory, IOOptions(), &names, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) return Status::OK();
  if (!s.ok()) return s;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (ParseFileName(name, &number, &type) && type == kWalFile) {
      numbers->push_back(number);
    }
  }
  return s;
}

// Fills in what is known of the file at `path`; NotFound if it is gone.
Status Look(FileSystem* fs, const std::string& path, WalFileFacts* facts) {
  INVARIANT(facts != nullptr);
  Status s = fs->GetFileSize(path, IOOptions(), &facts->size_bytes, nullptr);
  if (!s.ok()) return s;
  return ReadFirstSequence(fs, path, facts->number, &facts->start_sequence);
}

bool IsGone(const Status& s) { return s.IsNotFound() || s.IsPathNotFound(); }

}  // namespace

std::unique_ptr<WalFile> MakeWalFile(const WalFileFacts& facts) {
  INVARIANT(facts.number > 0);
  return std::make_unique<ListedWalFile>(facts);
}

Status ReadFirstSequence(FileSystem* fs, const std::string& path,
                         uint64_t number, SequenceNumber* sequence) {
  INVARIANT(sequence != nullptr);
  std::unique_ptr<SequentialFileReader> file;
  Status s = SequentialFileReader::Create(
      fs, path, fs->OptimizeForLogRead(FileOptions()), &file);
  if (!s.ok()) return s;
  log::Reader::Options options;
  options.log_number = number;
  options.name = path;
  log::Reader reader(std::move(file), nullptr, options);
  Slice record;
  std::string scratch;
  SequenceNumber found = 0;
  while (found == 0 && reader.ReadRecord(&record, &scratch)) {
    if (record.size() < kBatchHeaderBytes) continue;
    found = DecodeFixed64(record.data());
  }
  *sequence = found;
  return s;
}

Status ListWalFiles(const WalPlace& place,
                    const std::vector<uint64_t>& passed_over,
                    VectorWalPtr* files) {
  INVARIANT(files != nullptr);
  INVARIANT(std::is_sorted(passed_over.begin(), passed_over.end()));
  files->clear();
  // Logs move from the first to the second: one that goes missing is there.
  std::vector<uint64_t> alive;
  std::vector<uint64_t> archived;
  Status s = NumbersIn(place.fs, place.wal_dir, &alive);
  if (s.ok()) {
    s = NumbersIn(place.fs, ArchivalDirectory(place.wal_dir), &archived);
  }
  if (!s.ok()) return s;
  std::map<uint64_t, WalFileType> found;
  for (uint64_t number : archived) found[number] = kArchivedLogFile;
  for (uint64_t number : alive) found[number] = kAliveLogFile;
  for (const auto& [number, type] : found) {
    if (std::binary_search(passed_over.begin(), passed_over.end(), number)) {
      continue;
    }
    WalFileFacts facts{.number = number, .type = type};
    const std::string there = ArchivedLogFileName(place.wal_dir, number);
    s = type == kAliveLogFile
            ? Look(place.fs, LogFileName(place.wal_dir, number), &facts)
            : Look(place.fs, there, &facts);
    if (IsGone(s) && type == kAliveLogFile) {
      facts.type = kArchivedLogFile;
      s = Look(place.fs, there, &facts);
    }
    if (IsGone(s)) continue;  // Deleted meanwhile.
    if (!s.ok()) return s;
    if (const auto known = place.data_bytes.find(number);
        known != place.data_bytes.end()) {
      facts.size_bytes = std::min(facts.size_bytes, known->second);
    }
    if (facts.start_sequence > 0) files->push_back(MakeWalFile(facts));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
