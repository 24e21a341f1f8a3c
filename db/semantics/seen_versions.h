// What a walk over the versions of one key, newest first, has seen of them: in
// which stripes another one would be hidden, and whether any is shown.
//
// With timestamps, versions with different ones are as different keys as long
// as somebody may read as of each of them. Those that are history are one key.
//
// Threads  One thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class SeenVersions {
 public:
  // kTimestamp: of the same key, as users see it, comes another timestamp.
  enum class Next : uint8_t { kKey, kTimestamp };
  void Begin(Next next) {
    has_shown_ = next == Next::kTimestamp && has_shown_;
    is_first_ = true;
    done_stripe_ = kNone;
  }
  void SetHistory(bool is_history) { is_history_ = is_history; }

  // A version comes. True: a newer one of its stripe hides it. With
  // timestamps, what is behind may have been written later: it is in a newer
  // stripe, and hidden all the same.
  bool Meet(size_t stripe) {
    is_hidden_ = done_stripe_ != kNone && stripe >= done_stripe_;
    return is_hidden_;
  }
  // It hides what else is in that stripe.
  void Hide(size_t stripe) { done_stripe_ = stripe; }
  // What comes next of the stripe is a version like any.
  void Reopen() { done_stripe_ = kNone; }
  void PassFirst() { is_first_ = false; }
  void NoteShown() {
    is_first_shown_ = !has_shown_;
    has_shown_ = true;
  }

  // Is the version the first of its key in the input?
  bool is_first() const { return is_first_; }
  // That was met last.
  bool is_hidden() const { return is_hidden_; }
  // Does nobody read as of the key's timestamp?
  bool is_history() const { return is_history_; }
  // Was an entry of the key shown, whatever its timestamp?
  bool has_shown() const { return has_shown_; }
  // Is what was shown last the first one of its key?
  bool is_first_shown() const { return is_first_shown_; }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t done_stripe_ = kNone;  // its newest version has been seen
  bool is_first_ = false;
  bool is_hidden_ = false;
  bool is_history_ = false;
  bool has_shown_ = false;
  bool is_first_shown_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
