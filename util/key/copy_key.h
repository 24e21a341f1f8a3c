// Keeps a key where the one before it was kept.
//
// Threads  Any.
#pragma once

#include <cstring>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// Most keys have one length: they are copied in place, without the call that
// std::string::assign() is. `key` may be *copy itself.
inline void CopyKey(const Slice& key, std::string* copy) {
  if (key.size() == copy->size()) {
    memmove(copy->data(), key.data(), key.size());
  } else {
    copy->assign(key.data(), key.size());
  }
}

}  // namespace ROCKSDB_NAMESPACE
