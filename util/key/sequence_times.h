// When sequence numbers were given out, as far as anybody noted it.
//
// A pair (sequence, seconds) says that every entry up to the sequence had been
// written by that time. Nothing else is known: without a pair that says so, an
// entry is not old. Losing pairs therefore makes data look younger, never
// older, and what keeps data for their age errs on the side of keeping them.
//
// Format   The table property rocksdb.seqno.time.map: varint64 count, then for
//          each pair varint64 sequence and varint64 seconds, both less those
//          of the pair before.
// Threads  As a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class SequenceTimes {
 public:
  struct Pair {
    SequenceNumber sequence = 0;
    uint64_t seconds = 0;  // since 1970
    bool operator==(const Pair& other) const = default;
  };
  // The most pairs of one database in memory, and of one table file.
  static constexpr size_t kMostPairs = 1000;
  static constexpr size_t kMostPairsInFile = 100;

  bool empty() const { return pairs_.empty(); }
  // Both members ascend.
  const std::vector<Pair>& pairs() const { return pairs_; }

  // Entries up to `sequence` have been written by `now_seconds`. Pairs closer
  // to each other than `apart_seconds` become one, so that it costs nothing to
  // note often. A clock that was set back is not believed.
  void Note(SequenceNumber sequence, uint64_t now_seconds,
            uint64_t apart_seconds);
  // What either knows.
  void Merge(const SequenceTimes& other);
  // Forgets what is older than `seconds`, but for the newest pair of it.
  void ForgetBefore(uint64_t seconds);

  // Entries up to this one had been written by `seconds`; 0: none is known.
  SequenceNumber WrittenBy(uint64_t seconds) const;

  // The first noted number that covers all that was written by `seconds`;
  // kMaxSequenceNumber: none does.
  SequenceNumber CoveringAllBy(uint64_t seconds) const;

  // What matters for entries in [smallest, largest]: the pairs that part
  // them, the one before, and the first that covers them all.
  SequenceTimes Around(SequenceNumber smallest, SequenceNumber largest) const;

  // Empty text for no pairs.
  std::string Encode() const;
  // Corruption: not a map. Pairs that do not ascend are passed over.
  Status DecodeFrom(Slice text);

 private:
  void Thin(size_t most);

  std::vector<Pair> pairs_;
};

}  // namespace ROCKSDB_NAMESPACE
