#include "rocksdb/file_checksum.h"

#include <map>
#include <utility>

#include "options/builtin_objects.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FileChecksumGenCrc32c : public FileChecksumGenerator {
 public:
  void Update(const char* data, size_t n) override {
    crc_ = crc32c::Extend(crc_, data, n);
  }

  void Finalize() override {
    checksum_.clear();
    for (int shift = 24; shift >= 0; shift -= 8) {
      checksum_.push_back(static_cast<char>((crc_ >> shift) & 0xff));
    }
  }

  std::string GetChecksum() const override { return checksum_; }
  const char* Name() const override { return kStandardDbFileChecksumFuncName; }

 private:
  uint32_t crc_ = 0;
  std::string checksum_;
};

class FileChecksumGenCrc32cFactory : public FileChecksumGenFactory {
 public:
  static const char* kClassName() { return "FileChecksumGenCrc32cFactory"; }
  const char* Name() const override { return kClassName(); }

  std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) override {
    const std::string& wanted = context.requested_checksum_func_name;
    if (!wanted.empty() && wanted != kStandardDbFileChecksumFuncName) {
      return nullptr;
    }
    return std::make_unique<FileChecksumGenCrc32c>();
  }
};

class FileChecksumListImpl : public FileChecksumList {
 public:
  void reset() override { entries_.clear(); }
  size_t size() const override { return entries_.size(); }

  Status GetAllFileChecksums(
      std::vector<uint64_t>* file_numbers, std::vector<std::string>* checksums,
      std::vector<std::string>* checksum_func_names) override {
    if (file_numbers == nullptr || checksums == nullptr ||
        checksum_func_names == nullptr) {
      return Status::InvalidArgument("GetAllFileChecksums", "null result");
    }
    for (const auto& [number, entry] : entries_) {
      file_numbers->push_back(number);
      checksums->push_back(entry.first);
      checksum_func_names->push_back(entry.second);
    }
    return Status::OK();
  }

  Status SearchOneFileChecksum(uint64_t file_number, std::string* checksum,
                               std::string* checksum_func_name) override {
    if (checksum == nullptr || checksum_func_name == nullptr) {
      return Status::InvalidArgument("SearchOneFileChecksum", "null result");
    }
    const auto entry = entries_.find(file_number);
    if (entry == entries_.end()) return NoSuchFile(file_number);
    *checksum = entry->second.first;
    *checksum_func_name = entry->second.second;
    return Status::OK();
  }

  Status InsertOneFileChecksum(uint64_t file_number,
                               const std::string& checksum,
                               const std::string& checksum_func_name) override {
    entries_[file_number] = {checksum, checksum_func_name};
    return Status::OK();
  }

  Status RemoveOneFileChecksum(uint64_t file_number) override {
    if (entries_.erase(file_number) == 0) return NoSuchFile(file_number);
    return Status::OK();
  }

 private:
  static Status NoSuchFile(uint64_t file_number) {
    return Status::NotFound("no checksum of file", std::to_string(file_number));
  }

  // Checksum and name of its function.
  std::map<uint64_t, std::pair<std::string, std::string>> entries_;
};

void RegisterFileChecksums() {
  AddBuiltin<FileChecksumGenFactory, FileChecksumGenCrc32cFactory>(
      FileChecksumGenCrc32cFactory::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterFileChecksums);

}  // namespace

FileChecksumList* NewFileChecksumList() {
  return std::make_unique<FileChecksumListImpl>().release();
}

std::shared_ptr<FileChecksumGenFactory> GetFileChecksumGenCrc32cFactory() {
  static const auto factory = std::make_shared<FileChecksumGenCrc32cFactory>();
  return factory;
}

}  // namespace ROCKSDB_NAMESPACE
