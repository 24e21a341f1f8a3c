// Walks over the batches in the logs, from a sequence number on, and goes on
// where it stood once more has been written (GetUpdatesSince).
//
// Contract   Batches come in the order of their sequences, each once, none that
//            reads cannot see yet. Prepared sections of transactions, and the
//            markers that end them, come as batches too.
// Blobs      Values that the log refers to come as they were written.
// Errors     NotFound for a batch of which a value is gone: it was overwritten,
//            and its blob file with it; and from the first batch on that a gap
//            separates from the one before: what lay between went past the log
//            (an ingestion, writes without it), or its log is gone. Behind a
//            gap the walk goes on all the same. Any other error ends it.
// Threads    One thread; the database may write meanwhile.
// Ownership  Must not outlive the database.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/wal/log_reader.h"
#include "db/wal/wal_files.h"
#include "rocksdb/transaction_log.h"

namespace ROCKSDB_NAMESPACE {

class WalTail final : public TransactionLogIterator {
 public:
  struct Context {
    WalPlace place;
    // What reads may see.
    std::function<SequenceNumber()> last_sequence;
    // The logs there are now.
    std::function<Status(VectorWalPtr*)> list;
    bool verify_checksums = true;
    bool may_have_sections = false;  // logs may hold prepared transactions
    // Puts values into the places of references to blob files, which mean
    // nothing to another database.
    std::function<Status(WriteBatch*)> inline_blobs;
  };
  // From the batch that holds `start` on, or the first one behind it.
  WalTail(Context context, SequenceNumber start);
  ~WalTail() override;

  // Finds the first batch. Called once.
  Status Start();

  bool Valid() override { return batch_ != nullptr; }
  void Next() override;
  Status status() override { return status_.ok() ? gap_ : status_; }
  BatchResult GetBatch() override;

 private:
  // A batch that is wanted; one that is not; none that reads may see; none.
  enum class Found { kBatch, kNothing, kNotYet, kEnd };

  void Advance();
  // The next batch of the log that is open; kEnd: as far as it goes now.
  Found ReadBatch();
  Found Take(const Slice& record);
  Found TakeWithoutUpdates(const Slice& record, WriteBatch* batch);
  Status CountTaken(const WriteBatch& batch, uint64_t* count);
  Status OpenLog();
  // The log behind the present one, if there is one.
  Status FindNextLog(uint64_t* number) const;

  const Context context_;
  SequenceNumber wanted_;  // the next sequence to return
  bool has_started_ = false;
  uint64_t log_number_ = 0;
  // Where to go on in it: the block of the last record read.
  uint64_t resume_offset_ = 0;
  bool is_compressed_ = false;
  // A record of which only a part is there yet counts.
  log::FirstDamage damage_;
  std::unique_ptr<log::Reader> reader_;
  std::string scratch_;
  // Prepared sections: updates of each that was seen; the last record with
  // markers, or without updates, by log and offset; what follows a commit of an
  // unknown section.
  std::map<std::string, uint64_t> section_counts_;
  std::pair<uint64_t, uint64_t> last_marked_;
  std::vector<std::string> ended_;  // by the record that is looked at
  bool commits_unknown_ = false;
  bool is_uncounted_ = false;
  std::unique_ptr<WriteBatch> batch_;
  SequenceNumber batch_sequence_ = 0;
  Status status_;
  Status gap_;
};

}  // namespace ROCKSDB_NAMESPACE
