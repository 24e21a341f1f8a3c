// What a caller adds to one write: a say in whether it happens, and word of how
// far it has come.
//
// Threads  Called from the writing thread, or from that of another writer that
//          leads the group; both must be short, and must not write themselves.
#pragma once

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class UserWriteCallback;

// Asked once the write's turn has come, before it has a sequence number: every
// write before it is visible then, and none comes in between.
class WriteCondition {
 public:
  virtual ~WriteCondition() = default;

  // Anything but OK: nothing of the batch is written, and the caller gets it.
  virtual Status Check() = 0;
  // Whether it may be asked while writes of its own group, of which some come
  // before it, are not visible yet.
  virtual bool MayShareGroup() const = 0;
};

struct WriteHooks {
  UserWriteCallback* progress = nullptr;  // null: nobody wants to know
  WriteCondition* condition = nullptr;    // null: it is written in any case
};

}  // namespace ROCKSDB_NAMESPACE
