#include "utilities/dump/dump_reader.h"

#include "util/coding.h"
#include "utilities/dump/dump_format.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kDumpedReadAheadBytes = 1 << 20;

}  // namespace

Status DumpReader::Open(FileSystem* fs, const std::string& path,
                        std::unique_ptr<DumpReader>* result) {
  uint64_t size = 0;
  Status s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (!s.ok()) return s;
  std::unique_ptr<SequentialFileReader> file;
  s = SequentialFileReader::Create(fs, path, FileOptions(), &file,
                                   kDumpedReadAheadBytes);
  if (!s.ok()) return s;
  auto reader = std::make_unique<DumpReader>(std::move(file), size);
  s = reader->CheckHeader();
  if (s.ok()) *result = std::move(reader);
  return s;
}

Status DumpReader::ReadChunk(const char* what, std::string* bytes) {
  std::string length;
  Status s = ReadBytes(what, sizeof(uint32_t), &length);
  if (!s.ok()) return s;
  return ReadBytes(what, DecodeFixed32(length.data()), bytes);
}

Status DumpReader::CheckHeader() {
  std::string header;
  Status s = ReadBytes("the header", kDumpHeader.size(), &header);
  if (!s.ok()) return s;
  if (Slice(header).starts_with(
          Slice(kDumpHeader.substr(0, kDumpMagicBytes)))) {
    if (header == kDumpHeader) return s;
    return Status::NotSupported("version of the dump file", file_->file_name());
  }
  return Status::Corruption("not a dump file", file_->file_name());
}

Status DumpReader::ReadBytes(const char* what, size_t n, std::string* bytes) {
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

Status DumpReader::CutOff(const char* what) const {
  return Status::Corruption(file_->file_name(),
                            "ends within " + std::string(what) + " at byte " +
                                std::to_string(size_ - left_));
}

}  // namespace ROCKSDB_NAMESPACE
