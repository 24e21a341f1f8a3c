// What lives as long as a memtable because entries refer to it.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class MemTableAttachment {
 public:
  MemTableAttachment() = default;
  MemTableAttachment(const MemTableAttachment&) = delete;
  MemTableAttachment& operator=(const MemTableAttachment&) = delete;
  virtual ~MemTableAttachment() = default;
};

}  // namespace ROCKSDB_NAMESPACE
