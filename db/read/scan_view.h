// What an iterator reads: one super version as of one moment, held, and what
// is made over it.
//
// An iterator that is refreshed, that tails, or that follows files goes over
// to another super version: everything is then made anew.
//
// Lifetime   Holds the super version (and so every file) until destroyed. What
//            refers into it must be let go of before any call that says so.
// Threads    One thread at a time.
// Errors     What it is made of may be unreadable: status() says so, and there
//            is no stream then.
#pragma once

#include <string>

#include "db/read/entry_cursor.h"
#include "db/read/entry_rules.h"
#include "db/read/iterator_host.h"
#include "db/read/prepared_ranges.h"
#include "db/read/scan_request.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/snapshot.h"

namespace ROCKSDB_NAMESPACE {

class ScanView {
 public:
  explicit ScanView(UserIteratorRequest request);
  ScanView(const ScanView&) = delete;
  ScanView& operator=(const ScanView&) = delete;
  ~ScanView();

  const ReadOptions& options() const { return request_.options; }
  const SuperVersion& state() const { return *request_.super_version; }
  const SeekTrace& seek_trace() const { return request_.seek_trace; }
  SystemClock* clock() const { return request_.clock; }
  KeyText key_text() const { return request_.key_text; }
  Statistics* statistics() const { return statistics_; }
  IteratorHost& host() const { return *request_.host; }

  EntryRules& rules() { return rules_; }
  const EntryRules& rules() const { return rules_; }
  EntryCursor& source() { return source_; }
  const EntryCursor& source() const { return source_; }

  const Status& status() const { return status_; }
  // OK: a seek may begin.
  const Status& SeekStatus() const {
    return status_.ok() ? prepared_.status() : status_;
  }
  // Does it end where a plan does?
  bool is_prepared() const { return prepared_.is_active(); }
  // Corruption, of an entry of the stream that is none.
  Status DamagedKey() const;

  // Iterator::Prepare(). The stream is not valid until the next seek.
  void Prepare(const MultiScanArgs& args);

  // OK: Refresh() to that snapshot, null for the newest state, means something.
  Status CheckRefresh(const Snapshot* snapshot) const;
  // The next three go over to another state if there is one, and say whether
  // they did. What refers into this one has been let go of.
  //
  // When the last handle of a dropped family has gone, only iterators hold its
  // data. One that has the family's last state shows any moment of it; one that
  // has an older state goes on showing its own moment, and ColumnFamilyDropped
  // is the answer to another snapshot.
  [[nodiscard]] Status Refresh(const Snapshot* snapshot);
  // What has been written since (ReadOptions::tailing). kMoment: the same
  // stream shows it.
  enum class Change : uint8_t { kNone, kMoment, kState };
  Change CatchUp();
  // The same moment in files that others hold, too
  // (auto_refresh_iterator_with_snapshot).
  Change FollowFiles();

 private:
  void Build(SequenceNumber snapshot);
  Status OpenSource(SequenceNumber snapshot);
  void Drop();
  SuperVersion* Present(SequenceNumber* newest);
  void Rebuild(SuperVersion* next, SequenceNumber snapshot);

  UserIteratorRequest request_;
  // What the options point to, of its own.
  std::string timestamp_bytes_;
  std::string oldest_bytes_;
  Slice timestamp_;
  Slice oldest_;
  Statistics* statistics_ = nullptr;
  // The moment shown is a snapshot of the user's.
  bool has_snapshot_ = false;
  PreparedRanges prepared_;  // outlives the stream
  EntryRules rules_;
  EntryCursor source_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
