// Bounds the compactions that run at a time over several column families or
// databases.
//
// Threads  Every call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ConcurrentTaskLimiter {
 public:
  virtual ~ConcurrentTaskLimiter() = default;

  virtual const std::string& GetName() const = 0;

  // < 0 = no limit.
  virtual void SetMaxOutstandingTask(int32_t limit) = 0;
  virtual void ResetMaxOutstandingTask() = 0;

  // Tasks that hold a place now.
  virtual int32_t GetOutstandingTask() const = 0;
};

// `limit`: tasks at a time; 0 = none, < 0 = any number.
ConcurrentTaskLimiter* NewConcurrentTaskLimiter(const std::string& name,
                                                int32_t limit);

}  // namespace ROCKSDB_NAMESPACE
