#include <cstdio>
#include <memory>
#include <string>

#include "file/sequential_file_reader.h"
#include "rocksdb/db_dump_tool.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "util/coding.h"
#include "utilities/dump/dump_format.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The chunks of a dump. Lengths are held against the size of the file, so that
// a damaged one does not ask for memory.
class DumpReader {
 public:
  // Of a file whose header is yet to be checked.
  DumpReader(std::unique_ptr<SequentialFileReader> file, uint64_t size)
      : file_(std::move(file)), size_(size), left_(size) {}

  static Status Open(FileSystem* fs, const std::string& path,
                     std::unique_ptr<DumpReader>* result) {
    uint64_t size = 0;
    Status s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (!s.ok()) return s;
    std::unique_ptr<SequentialFileReader> file;
    s = SequentialFileReader::Create(fs, path, FileOptions(), &file,
                                     kReadAheadBytes);
    if (!s.ok()) return s;
    auto reader = std::make_unique<DumpReader>(std::move(file), size);
    s = reader->CheckHeader();
    if (s.ok()) *result = std::move(reader);
    return s;
  }

  bool AtEnd() const { return left_ == 0; }

  // Corruption if the file ends within it.
  Status ReadChunk(const char* what, std::string* bytes) {
    std::string length;
    Status s = ReadBytes(what, sizeof(uint32_t), &length);
    if (!s.ok()) return s;
    return ReadBytes(what, DecodeFixed32(length.data()), bytes);
  }

 private:
  static constexpr size_t kReadAheadBytes = 1 << 20;

  Status CheckHeader() {
    std::string header;
    Status s = ReadBytes("the header", kDumpHeader.size(), &header);
    if (!s.ok()) return s;
    if (Slice(header).starts_with(
            Slice(kDumpHeader.substr(0, kDumpMagicBytes)))) {
      if (header == kDumpHeader) return s;
      return Status::NotSupported("version of the dump file",
                                  file_->file_name());
    }
    return Status::Corruption("not a dump file", file_->file_name());
  }

  Status ReadBytes(const char* what, size_t n, std::string* bytes) {
    if (n > left_) return CutOff(what);
    bytes->resize(n);
    Slice read;
    Status s = file_->Read(n, &read, bytes->data());
    if (!s.ok()) return s;
    if (read.size() != n) return CutOff(what);
    if (read.data() != bytes->data()) bytes->assign(read.data(), n);
    left_ -= n;
    return s;
  }
  Status CutOff(const char* what) const {
    return Status::Corruption(file_->file_name(),
                              "ends within " + std::string(what) + " at byte " +
                                  std::to_string(size_ - left_));
  }

  const std::unique_ptr<SequentialFileReader> file_;
  const uint64_t size_;
  uint64_t left_;
};

// `*problem` begins the line that is told, in RocksDB's words; it stays as it
// is where those say no more than the status.
Status PutPairs(DumpReader* dump, DB* db, std::string* problem) {
  std::string about;
  Status s = dump->ReadChunk("what is said about the dump", &about);
  std::string key;
  std::string value;
  while (s.ok() && !dump->AtEnd()) {
    s = dump->ReadChunk("a key", &key);
    if (!s.ok()) {
      *problem = "Key read failure: insufficient data: ";
      break;
    }
    s = dump->ReadChunk("a value", &value);
    if (!s.ok()) *problem = "Unable to read value: insufficient data: ";
    if (s.ok()) s = db->Put(WriteOptions(), key, value);
  }
  return s;
}

Status UndumpDatabase(const UndumpOptions& undump, Options options,
                      std::string* problem) {
  std::unique_ptr<DumpReader> dump;
  Status s = DumpReader::Open(options.env->GetFileSystem().get(),
                              undump.dump_location, &dump);
  if (!s.ok()) {
    const std::string& file = undump.dump_location;
    *problem = s.IsCorruption() || s.IsNotSupported()
                   ? "File '" + file + "' is not a recognizable dump file. "
                   : "Unable to open dump file '" + file + "' for reading: ";
    return s;
  }
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  s = DB::Open(options, undump.db_path, &db);
  if (!s.ok()) {
    *problem = "Unable to open database '" + undump.db_path + "' for writing: ";
    return s;
  }
  s = PutPairs(dump.get(), db.get(), problem);
  // Success means that it is there after a power cut too.
  if (s.ok()) s = db->FlushWAL(true);
  if (s.ok() && undump.compact_db) {
    s = db->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  }
  const Status closed = db->Close();
  return s.ok() ? closed : s;
}

}  // namespace

bool DbUndumpTool::Run(const UndumpOptions& undump_options, Options options) {
  std::string problem = "Unable to undump " + undump_options.dump_location +
                        " to " + undump_options.db_path + ": ";
  const Status s = UndumpDatabase(undump_options, std::move(options), &problem);
  if (!s.ok()) {
    fprintf(stderr, "%s%s\n", problem.c_str(), s.ToString().c_str());
  }
  return s.ok();
}

}  // namespace ROCKSDB_NAMESPACE
