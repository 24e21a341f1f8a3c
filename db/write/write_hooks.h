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
  // Checks against a batch that comes before this one in its group and is not
  // visible yet. Called only if MayShareGroup().
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
    kRollBack,  // the batch is a marker, with or without more
    // The batch is what undoes the section where it has been applied, and a
    // marker: here it never has been.
    kRollBackApplied,
  };
  Kind kind = Kind::kPrepare;
  Slice name;
  // --- of kRollBack
  // The batch has the updates of the section too, which the log gets again.
  bool commits_anew = false;
  // --- of kPrepare
  uint64_t* log_number = nullptr;  // becomes that of the section's log
  bool is_prepared = true;         // else more of the section may come
  bool is_all = false;             // what is there of it already is void
  SequenceNumber sequences = 0;    // that it takes, though it inserts nothing
};

struct WriteHooks {
  UserWriteCallback* progress = nullptr;  // null: nobody wants to know
  WriteCondition* condition = nullptr;    // null: it is written in any case
  const SectionWrite* section = nullptr;  // null: it has to do with none

  bool IsForLogAlone() const {
    return section != nullptr && section->kind == SectionWrite::Kind::kPrepare;
  }
  // True if nothing of the logged batch goes into memtables.
  bool InsertsNothing() const {
    return IsForLogAlone() ||
           (section != nullptr &&
            section->kind == SectionWrite::Kind::kRollBackApplied);
  }
};

}  // namespace ROCKSDB_NAMESPACE
