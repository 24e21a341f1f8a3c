#include "tools/db_bench/worker.h"

#include <cstdio>

#include "tools/db_bench/flags.h"

DEFINE_bool(explicit_snapshot, false, "Iterators are those of a snapshot.");
DEFINE_bool(tolerate_io_errors_for_remote_dbs, false,
            "Reads that end with an I/O error are counted, and the benchmark "
            "goes on.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

size_t StampSize(uint32_t /*family*/) { return Timestamp::kBytes; }

}  // namespace

uint64_t Worker::KeyCount() const {
  return existing_keys != nullptr ? existing_keys->size()
                                  : static_cast<uint64_t>(FLAGS_num);
}

KeyBuffer Worker::MakeKeyBuffer() const {
  return KeyBuffer(static_cast<size_t>(FLAGS_key_size), existing_keys);
}

Status Worker::Put(const Target& target, const Slice& key, const Slice& value) {
  if (!has_timestamps_) {
    return target.db->Put(write_options, target.family, key, value);
  }
  const Timestamp stamp = NextStamp();
  return target.db->Put(write_options, target.family, key, stamp.AsSlice(),
                        value);
}

Status Worker::Delete(const Target& target, const Slice& key) {
  if (!has_timestamps_) {
    return target.db->Delete(write_options, target.family, key);
  }
  const Timestamp stamp = NextStamp();
  return target.db->Delete(write_options, target.family, key, stamp.AsSlice());
}

Status Worker::SingleDelete(const Target& target, const Slice& key) {
  if (!has_timestamps_) {
    return target.db->SingleDelete(write_options, target.family, key);
  }
  const Timestamp stamp = NextStamp();
  return target.db->SingleDelete(write_options, target.family, key,
                                 stamp.AsSlice());
}

Status Worker::Merge(const Target& target, const Slice& key,
                     const Slice& operand) {
  if (!has_timestamps_) {
    return target.db->Merge(write_options, target.family, key, operand);
  }
  const Timestamp stamp = NextStamp();
  return target.db->Merge(write_options, target.family, key, stamp.AsSlice(),
                          operand);
}

WriteBatch Worker::MakeBatch() const {
  return WriteBatch(/*reserved_bytes=*/0, /*max_bytes=*/0,
                    write_options.protection_bytes_per_key,
                    has_timestamps_ ? Timestamp::kBytes : 0);
}

Status Worker::WriteStamped(DB* database, const WriteOptions& options,
                            WriteBatch* batch) {
  const Timestamp stamp = NextStamp();
  Status s = batch->UpdateTimestamps(stamp.AsSlice(), StampSize);
  return s.ok() ? database->Write(options, batch) : s;
}

bool Worker::IsTolerated(const Status& s) {
  if (!FLAGS_tolerate_io_errors_for_remote_dbs || !s.IsIOError()) return false;
  stats.AddToleratedError();
  return true;
}

Cursor::Cursor(Worker& worker, const Target& target, ReadOptions options)
    : db_(target.db) {
  worker.StampReads(&options);
  if (FLAGS_explicit_snapshot) {
    snapshot_ = db_->GetSnapshot();
    options.snapshot = snapshot_;
  }
  iterator_.reset(db_->NewIterator(options, target.family));
}

Cursor::~Cursor() {
  iterator_.reset();
  if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
}

Budget::Budget(uint64_t operations, Limit limit)
    : operations_(operations),
      seconds_(limit == Limit::kOperationsOrDuration ? FLAGS_duration : 0),
      start_(std::chrono::steady_clock::now()) {}

bool Budget::StillHasTime() {
  next_look_ = done_ + static_cast<uint64_t>(FLAGS_ops_between_duration_checks);
  return std::chrono::steady_clock::now() - start_ <
         std::chrono::seconds(seconds_);
}

}  // namespace ROCKSDB_NAMESPACE::bench
