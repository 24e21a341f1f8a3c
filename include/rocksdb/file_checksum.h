// Checksums over whole files, kept in the MANIFEST beside the file's number.
//
// Threads    A factory may be used by many threads, a generator by one.
// Ownership  The caller owns what the factory makes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct ConfigOptions;

// A file without a checksum.
constexpr char kUnknownFileChecksum[] = "";
constexpr char kUnknownFileChecksumFuncName[] = "Unknown";
constexpr char kNoFileChecksumFuncName[] = "Unknown";
constexpr char kStandardDbFileChecksumFuncName[] = "FileChecksumCrc32c";

// The file whose checksum is wanted.
struct FileChecksumGenContext {
  std::string file_name;
  // The function to use; empty leaves the choice to the factory.
  std::string requested_checksum_func_name;
};

class FileChecksumGenerator {
 public:
  virtual ~FileChecksumGenerator() = default;

  // Takes the next bytes of the file.
  virtual void Update(const char* data, size_t n) = 0;
  // No bytes follow.
  virtual void Finalize() = 0;
  // After Finalize().
  virtual std::string GetChecksum() const = 0;
  // Name of the function, stored with the checksum.
  virtual const char* Name() const = 0;
};

class FileChecksumGenFactory : public Customizable {
 public:
  ~FileChecksumGenFactory() override = default;

  static const char* Type() { return "FileChecksumGenFactory"; }
  static Status CreateFromString(
      const ConfigOptions& options, const std::string& value,
      std::shared_ptr<FileChecksumGenFactory>* result);

  // Null where the requested function is not known.
  virtual std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) = 0;

  const char* Name() const override = 0;
};

// File number -> checksum and name of its function. Not thread-safe.
class FileChecksumList {
 public:
  virtual ~FileChecksumList() = default;

  virtual void reset() = 0;
  virtual size_t size() const = 0;

  virtual Status GetAllFileChecksums(
      std::vector<uint64_t>* file_numbers, std::vector<std::string>* checksums,
      std::vector<std::string>* checksum_func_names) = 0;
  virtual Status SearchOneFileChecksum(uint64_t file_number,
                                       std::string* checksum,
                                       std::string* checksum_func_name) = 0;
  virtual Status InsertOneFileChecksum(
      uint64_t file_number, const std::string& checksum,
      const std::string& checksum_func_name) = 0;
  virtual Status RemoveOneFileChecksum(uint64_t file_number) = 0;
};

// The caller owns the result.
FileChecksumList* NewFileChecksumList();

// crc32c of the file, four bytes, most significant first.
std::shared_ptr<FileChecksumGenFactory> GetFileChecksumGenCrc32cFactory();

}  // namespace ROCKSDB_NAMESPACE
