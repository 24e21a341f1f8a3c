// What the database is expected to hold, kept across the death of the process.
//
// In memory, each key of each family has the word of its last acknowledged
// write and that of the write in progress; a read may see either, and whatever
// was written while it ran. On disk are the words of the last verified moment
// (the baseline) and the trace of all writes since.
//
// Threads    Windows: any. Writes of one key: one thread at a time (the caller
//            holds the key's lock). Load(), Judge() and Settle(): alone; the
//            last two as often as a database was opened that may have lost
//            what was not durable.
// Errors     Files that cannot be read or written are a Status.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db_stress_tool/stamp_history.h"
#include "db_stress_tool/write_trace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

// The words that a key had while something was read.
struct Window {
  Word first = 0;
  Word last = 0;

  // May a read have found this version, or nothing?
  bool Admits(std::optional<uint32_t> version) const;
};

// What one acknowledgement promises.
enum class Durability { kBuffered, kDurable };

// What a recovered database is held to: what was durable, and a prefix of the
// rest; or, after files were taken away, a prefix alone.
enum class Promise { kDurableAndPrefix, kPrefix };

class ExpectedState {
 public:
  struct Shape {
    size_t family_count;
    uint64_t key_count;
    // One moment of loss for all families, or one for each.
    bool is_loss_common;
    // Do writes have user-defined timestamps, for reads as of older ones?
    bool has_stamps = false;
  };

  // `dir` may be empty: nothing is kept then.
  ExpectedState(const Shape& shape, std::string dir);

  // Reads what an earlier process left.
  Status Load();
  // `found(key)` is the version that the recovered database holds. Says what
  // is wrong with it; empty if nothing.
  using Found = std::function<std::optional<uint32_t>(const KeyRef&)>;
  std::string Judge(const Found& found,
                    Promise promise = Promise::kDurableAndPrefix) const;
  // From now on what was found is the truth, and all of it durable.
  Status Settle(const Found& found);

  const Shape& shape() const { return shape_; }

  // ---- Reads ----

  // A read in progress: first words are taken now, last ones by Close(). With
  // stamps it may be one as of a stamp that was given by now.
  Window OpenWindow(const KeyRef& key, Stamp as_of = kNewestStamp) const;
  void CloseWindow(const KeyRef& key, Window* window,
                   Stamp as_of = kNewestStamp) const;
  // 0 without stamps.
  Stamp newest_stamp() const { return trace_.newest_stamp(); }

  // ---- Writes ----

  // One atomic write of one or several keys. With stamps, made while the keys
  // are locked: those of a key ascend.
  class Write {
   public:
    explicit Write(ExpectedState* state);
    // Returns the word that the key is to have; nothing if the trace is full.
    std::optional<Word> Put(const KeyRef& key);
    std::optional<Word> Delete(const KeyRef& key);
    // The database said OK. `durability` is what that means.
    void Acknowledge(Durability durability);
    Stamp stamp() const { return stamp_; }

   private:
    struct Item {
      KeyRef key;
      TraceRecord* record;
    };
    std::optional<Word> Add(const KeyRef& key, Word word);

    ExpectedState* const state_;
    const Stamp stamp_;
    const Moment begin_;
    std::vector<Item> items_;
  };

  Moment Now() { return trace_.Now(); }
  // All writes of the family (of all families) that had ended by `moment`.
  void NoteDurable(size_t family, Moment moment);
  void NoteDurable(Moment moment);

 private:
  size_t IndexOf(const KeyRef& key) const {
    return key.family * shape_.key_count + key.number;
  }
  std::string BaselinePath() const { return dir_ + "/baseline"; }
  Status ReadBaseline();
  Status WriteBaseline() const;

  const Shape shape_;
  const std::string dir_;
  uint64_t generation_ = 0;
  // What was there when the trace began.
  std::vector<Word> baseline_;
  std::vector<std::atomic<Word>> present_;
  // Differs from present_ only for keys with a write that is in progress or has
  // failed: they have the word of that write.
  std::vector<std::atomic<Word>> pending_;
  // The word of the last write that was ever begun, even if it was lost: no
  // version is used twice.
  std::vector<std::atomic<Word>> newest_;
  WriteTrace trace_;
  // With stamps only.
  std::unique_ptr<StampHistory> history_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
