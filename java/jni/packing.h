// Values that cross between Java and C++ as one array of bytes.
//
// A list of files with forty figures each is one call and one array instead of
// hundreds of calls back into Java. Numbers are big-endian, as Java's buffers
// have them; text and bytes follow their size, which takes four.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
enum class CompactionReason : int;
struct TableProperties;
struct FlushJobInfo;
struct TableFileDeletionInfo;
struct MemTableInfo;
struct ExternalFileIngestionInfo;
struct WriteStallInfo;
struct FileOperationInfo;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::jni {

class Packer {
 public:
  template <class T>
  void Long(T value) {
    Number(static_cast<uint64_t>(value), 8);
  }
  template <class T>
  void Int(T value) {
    Number(static_cast<uint64_t>(value), 4);
  }
  void Bool(bool value) { bytes_.push_back(value ? 1 : 0); }
  void Double(double value);
  // The number of an enumeration's constant.
  template <class T>
  void Enum(T value) {
    Int(static_cast<int64_t>(value));
  }
  void Text(const Slice& text);
  void Status(const class Status& status);
  template <class Map>
  void TextMap(const Map& map) {
    Int(map.size());
    for (const auto& [key, value] : map) {
      Text(key);
      Text(value);
    }
  }

  Slice bytes() const { return bytes_; }

 private:
  void Number(uint64_t value, int size);

  std::string bytes_;
};

// Reads what Java's Packer wrote; bytes that end too early are a CallError.
class Unpacker {
 public:
  explicit Unpacker(std::string bytes) : bytes_(std::move(bytes)) {}

  int64_t Long() { return static_cast<int64_t>(Number(8)); }
  int32_t Int() { return static_cast<int32_t>(Number(4)); }
  bool Bool() { return Number(1) != 0; }
  std::string Text() { return Bytes().ToString(); }
  // Valid as long as this.
  Slice Bytes();
  bool AtEnd() const { return at_ == bytes_.size(); }

 private:
  uint64_t Number(size_t size);

  std::string bytes_;
  size_t at_ = 0;
};

// Java's own number of a reason.
int64_t JavaReason(CompactionReason reason);

void Pack(Packer& out, const TableProperties& value);
void Pack(Packer& out, const FlushJobInfo& value);
void Pack(Packer& out, const TableFileDeletionInfo& value);
void Pack(Packer& out, const MemTableInfo& value);
void Pack(Packer& out, const ExternalFileIngestionInfo& value);
void Pack(Packer& out, const WriteStallInfo& value);
void Pack(Packer& out, const FileOperationInfo& value);

}  // namespace ROCKSDB_NAMESPACE::jni
