// Entries of one key that a walk has made of several, and has yet to show, the
// newest first.
//
// Hot path  Their memory is used again: call after call nothing is allocated.
// Threads   One thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class PendingEntries {
 public:
  struct Entry {
    uint64_t trailer = 0;
    std::string value;
    std::string timestamp;  // empty where keys have none
  };

  bool empty() const { return count_ == 0; }
  void Clear() { count_ = at_ = 0; }
  // One more, behind the others. It holds what an earlier one did: set all.
  Entry* Add() {
    if (count_ == entries_.size()) entries_.emplace_back();
    return &entries_[count_++];
  }
  // The one to be shown.
  const Entry& current() const {
    assert(at_ < count_);
    return entries_[at_];
  }
  // To the next one; false: there is none, and nothing is pending any more.
  bool MoveOn() {
    if (at_ + 1 < count_) {
      ++at_;
      return true;
    }
    Clear();
    return false;
  }

 private:
  std::vector<Entry> entries_;  // count_ of them count
  size_t count_ = 0;
  size_t at_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
