// What a caller adds to one write: a say in whether it happens, and word of how
// far it has come.
//
// Threads  Called from the writing thread, or from that of another writer that
//          leads the group; both must be short, and must not write themselves.
#pragma once

#include <cstdint>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class UserWriteCallback;
class WriteBatch;

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
  // Of one that may: the same with a batch of the group that comes before it,
  // and is not visible yet.
  virtual Status CheckBeside(const WriteBatch& /*earlier*/) {
    return Status::OK();
  }
  // The write is visible, and of what comes behind its group nothing is. Not
  // called with enable_pipelined_write or unordered_write.
  virtual void OnVisible() {}
};

// What a write does to a prepared section of the log.
struct SectionWrite {
  enum class Kind {
    kPrepare,   // the batch is the section: for the log alone
    kCommit,    // the section is the part of the batch that is not logged
    kRollBack,  // the batch is a marker
    // The batch is what undoes the section where it has been applied, and a
    // marker: here it never has been.
    kRollBackApplied,
  };
  Kind kind = Kind::kPrepare;
  Slice name;
  uint64_t* log_number = nullptr;  // becomes that of a section's log
  // --- of kPrepare
  bool is_prepared = true;       // else more of the section may come
  bool is_all = false;           // what is there of it already is void
  SequenceNumber sequences = 0;  // that it takes, though it inserts nothing
};

struct WriteHooks {
  UserWriteCallback* progress = nullptr;  // null: nobody wants to know
  WriteCondition* condition = nullptr;    // null: it is written in any case
  const SectionWrite* section = nullptr;  // null: it has to do with none

  bool IsForLogAlone() const {
    return section != nullptr && section->kind == SectionWrite::Kind::kPrepare;
  }
  // Of what is logged, nothing is to be inserted.
  bool InsertsNothing() const {
    return IsForLogAlone() ||
           (section != nullptr &&
            section->kind == SectionWrite::Kind::kRollBackApplied);
  }
};

}  // namespace ROCKSDB_NAMESPACE
