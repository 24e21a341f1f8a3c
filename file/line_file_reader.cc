#include "file/line_file_reader.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

IOStatus LineFileReader::Create(FileSystem* fs, const std::string& file_name,
                                const FileOptions& options,
                                std::unique_ptr<LineFileReader>* result) {
  std::unique_ptr<SequentialFileReader> reader;
  IOStatus s = SequentialFileReader::Create(fs, file_name, options, &reader);
  if (s.ok()) *result = std::make_unique<LineFileReader>(std::move(reader));
  return s;
}

bool LineFileReader::Refill() {
  INVARIANT(unread_.empty());
  if (is_at_end_ || !status_.ok()) return false;
  status_ = reader_->Read(kBufferBytes, &unread_, buffer_);
  assert(unread_.size() <= kBufferBytes);
  is_at_end_ = unread_.size() < kBufferBytes;
  return status_.ok() && !unread_.empty();
}

bool LineFileReader::ReadLine(std::string* line) {
  assert(line != nullptr);
  line->clear();
  bool has_text = false;
  while (!unread_.empty() || Refill()) {
    has_text = true;
    const char* begin = unread_.data();
    const void* found = memchr(begin, '\n', unread_.size());
    if (found != nullptr) {
      const size_t length =
          static_cast<size_t>(static_cast<const char*>(found) - begin);
      line->append(begin, length);
      unread_.remove_prefix(length + 1);
      ++line_number_;
      return true;
    }
    line->append(begin, unread_.size());
    unread_.clear();
  }
  assert(unread_.empty());
  if (!status_.ok() || !has_text) return false;
  ++line_number_;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
