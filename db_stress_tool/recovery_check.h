// Is what a recovered database holds a state that its writes can have left?
//
// The promise is a prefix: there is a moment such that every write that began
// after it is lost, and none that had ended by it. What is there and what is
// lost need not be known write by write: of each key it is enough to know what
// it holds now. Each write of the key that would leave that gives an interval
// in which the moment may lie, and the promise holds if one moment lies in an
// interval of every key. Writes that were never acknowledged may be there or
// not.
//
// Threads    Confined to one.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "db_stress_tool/write_trace.h"

namespace ROCKSDB_NAMESPACE::stress {

// A write of one key, as the trace has it.
struct TracedWrite {
  Moment begin;
  Moment end;
  Word word;
  bool is_durable;
};

// What one key can have been, and what it is.
struct KeyHistory {
  KeyRef key;
  // Before the first write.
  Word baseline = 0;
  // In their order.
  std::vector<TracedWrite> writes = {};
  // The version found; only `is_there` counts if it is false.
  bool is_there = false;
  uint32_t version = 0;
};

// When the moment of loss can have been, as [from, to); sorted, apart.
using Moments = std::vector<std::pair<Moment, Moment>>;

// The moments of loss that explain what this one key holds. Empty: none does.
Moments PossibleLoss(const KeyHistory& history);

class RecoveryCheck {
 public:
  // Keys that share a moment of loss.
  void Add(const KeyHistory& history);
  // What is wrong; empty if nothing.
  std::string Verdict() const;

 private:
  std::string Conflict() const;

  // Keys whose interval begins, less those whose ends, at each moment.
  std::map<Moment, int64_t> changes_;
  int64_t key_count_ = 0;
  std::string first_error_;
  // The keys that bind the most: for messages.
  Moment latest_from_ = 0;
  Moment earliest_to_ = kNever;
  std::string latest_key_;
  std::string earliest_key_;
};

// "family 3, key 17" and its writes.
std::string Describe(const KeyHistory& history);

}  // namespace ROCKSDB_NAMESPACE::stress
