// Memory and error texts that cross the C interface.

#include "c/support.h"

namespace ROCKSDB_NAMESPACE::c_api {

bool Fails(const Status& status, char** errptr) {
  if (status.ok()) return false;
  if (errptr != nullptr) {
    free(*errptr);
    *errptr = CopyText(status.ToString());
  }
  return true;
}

void TellNull(const char* name, char** errptr) {
  (void)Fails(Status::InvalidArgument("a required handle is NULL", name),
              errptr);
}

char* CopyBytes(const Slice& bytes) {
  // One byte at least, so that an empty value is not taken for none.
  char* copy = static_cast<char*>(malloc(bytes.empty() ? 1 : bytes.size()));
  if (copy == nullptr) abort();
  if (!bytes.empty()) memcpy(copy, bytes.data(), bytes.size());
  return copy;
}

char* CopyText(const std::string& text) {
  char* copy = static_cast<char*>(malloc(text.size() + 1));
  if (copy == nullptr) abort();
  memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

std::vector<Slice> KeysOf(size_t count, const char* const* keys,
                          const size_t* sizes) {
  std::vector<Slice> all;
  all.reserve(count);
  for (size_t i = 0; i < count; ++i) all.push_back(BytesOf(keys[i], sizes[i]));
  return all;
}

}  // namespace ROCKSDB_NAMESPACE::c_api
