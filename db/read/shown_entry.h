// The entry that an iterator stands on, as users get it: the value behind a
// reference to a blob file, the columns of an entity, and what of these is put
// off until PrepareValue().
//
// Hot path   A plain value is one slice, into memory of the stream or of the
//            walk; nothing is copied. Its columns are made once asked for.
// Lifetime   Slices are good until the next Show(), and with pin_data as long
//            as this lives. LetGo() comes before the super version goes.
// Threads    One thread at a time.
// Errors     Of the blobs; Corruption for a value that does not add up, or of
//            a type that is none. The entry must not be shown then.
#pragma once

#include <cassert>
#include <deque>
#include <optional>
#include <string>

#include "db/version/version_blobs.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ShownEntry {
 public:
  // When the value behind a reference is read.
  enum class Load : uint8_t { kAtOnce, kOnDemand };

  ShownEntry(Load load, bool pins_data) : load_(load), pins_data_(pins_data) {}

  // References are to blobs of that version, from now on.
  void Begin(const ReadOptions& options, const VersionStorage& storage,
             const BlobSource& source) {
    blobs_.emplace(&options, &storage, &source);
  }
  // What it shows is gone: it may have pinned an entry of the family's cache.
  void LetGo() { blob_.Reset(); }

  // Stored: with its timestamp.
  const Slice& key() const { return key_; }
  const Slice& value() const { return value_; }
  // A plain value is its entity's default column.
  const WideColumns& columns() const;
  size_t bytes() const { return key_.size() + value_.size(); }
  bool pins_data() const { return pins_data_; }

  // The next entry's. It stays where it is.
  void SetKey(const Slice& key) { key_ = key; }
  // Shows `stored`, the value of that key. False: it cannot be, and *problem
  // says why.
  bool Show(ValueType type, const Slice& stored, Status* problem) {
    if (!columns_.empty()) columns_.clear();
    is_entity_ = is_unprepared_ = false;
    is_unread_ = false;
    if (type != kTypeValue) return ShowOther(type, stored, problem);
    value_ = stored;
    return true;
  }
  // The same where key and value are in memory that the next step writes over.
  bool ShowOwn(ValueType type, const Slice& stored, Status* problem) {
    if (!pins_data_) return Show(type, stored, problem);
    key_ = Keep(key_);
    return Show(type, Keep(stored), problem);
  }
  // A value that the stream has not read yet: it is empty for now.
  void ShowUnread(ValueType type) {
    if (!columns_.empty()) columns_.clear();
    is_entity_ = is_unprepared_ = false;
    is_unread_ = true;
    unread_type_ = type;
    value_.clear();
  }

  // Does it wait for the stream to read it? As what it is then to be shown.
  bool is_unread() const { return is_unread_; }
  ValueType unread_type() const { return unread_type_; }
  // Loads what was put off, but for what is unread. False as Show().
  bool Prepare(Status* problem);

  // A copy that stays.
  Slice Keep(const Slice& bytes) {
    return kept_.emplace_back(bytes.data(), bytes.size());
  }

  const VersionBlobs& blobs() const { return *blobs_; }

 private:
  bool ShowOther(ValueType type, const Slice& stored, Status* problem);
  Status ShowReference(ValueType type, const Slice& stored);
  Status ShowBlob(const Slice& reference);
  Status ShowEntity(Slice entity);

  const Load load_;
  const bool pins_data_;
  std::optional<VersionBlobs> blobs_;
  Slice key_;
  Slice value_;
  mutable WideColumns columns_;
  bool is_entity_ = false;
  bool is_unprepared_ = false;
  bool is_unread_ = false;
  ValueType unread_type_ = kTypeValue;
  std::string unprepared_;  // the reference to a blob that is not read yet
  std::string entity_;      // whole, of one whose columns are in blob files
  PinnableSlice blob_;      // what value_ points to, if it is a blob
  std::deque<std::string> kept_;
};

}  // namespace ROCKSDB_NAMESPACE
