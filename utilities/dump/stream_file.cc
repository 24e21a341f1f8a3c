#include "utilities/dump/stream_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ROCKSDB_NAMESPACE {

namespace {

IOStatus ErrorOf(const char* action, const std::string& path) {
  return IOStatus::IOError(std::string(action) + " " + path, strerror(errno));
}

}  // namespace

bool IsStream(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::file_type type =
      std::filesystem::status(path, unknown).type();
  return type == std::filesystem::file_type::fifo ||
         type == std::filesystem::file_type::character;
}

IOStatus StreamFile::Open(const std::string& path,
                          std::unique_ptr<FSWritableFile>* result) {
  Stream stream(std::fopen(path.c_str(), "wb"));
  if (stream == nullptr) return ErrorOf("While opening for writing", path);
  // The writer above has a buffer, and is to know at once what went wrong.
  std::setbuf(stream.get(), nullptr);
  *result = std::make_unique<StreamFile>(path, std::move(stream));
  return IOStatus::OK();
}

IOStatus StreamFile::Append(const Slice& data, const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
  if (std::fwrite(data.data(), 1, data.size(), stream_.get()) == data.size()) {
    return IOStatus::OK();
  }
  return ErrorOf("While writing to", path_);
}

IOStatus StreamFile::Close(const IOOptions& /*options*/,
                           IODebugContext* /*dbg*/) {
  if (stream_ == nullptr || std::fclose(stream_.release()) == 0) {
    return IOStatus::OK();
  }
  return ErrorOf("While closing", path_);
}

IOStatus StreamFile::Flush(const IOOptions& /*options*/,
                           IODebugContext* /*dbg*/) {
  return IOStatus::OK();
}

IOStatus StreamFile::Sync(const IOOptions& /*options*/,
                          IODebugContext* /*dbg*/) {
  return IOStatus::OK();
}

}  // namespace ROCKSDB_NAMESPACE
