// Decides for each entry that a job writes where its value goes: into the
// table, or into a blob file with a reference in the table.
//
// A plain value that is large enough goes to a blob file, and so does a column
// of an entity. A reference to a blob file that is being garbage-collected is
// resolved, and its value goes wherever one of its size goes now.
//
// Threads    One thread.
// Ownership  Borrows all that the request names. What Apply() yields is good
//            until the next call.
// Errors     The first one sticks with the blob files it belongs to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/outputs/blob_outputs.h"
#include "options/cf_options.h"
#include "table/blob_fetcher.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ValueSeparator {
 public:
  struct Request {
    BlobOutputRequest output;
    // Do large values go to blob files, on the level that the entries go to?
    bool separates = false;
    // Blobs of files with smaller numbers move; 0: none do.
    uint64_t relocates_below = 0;
    const BlobFetcher* blobs = nullptr;  // for those
  };
  // What a flush or compaction to `level` does with values.
  static bool Separates(const MutableCFOptions& options, int level) {
    return options.enable_blob_files &&
           level >= options.blob_file_starting_level;
  }

  explicit ValueSeparator(Request request);

  // Replaces *key (internal) and *value where the value goes elsewhere.
  Status Apply(Slice* key, Slice* value) {
    const ValueType type = ExtractType(*key);
    if (type == kTypeValue) {
      return Goes(*value) ? Separate(key, value) : Status::OK();
    }
    if (type == kTypeWideColumnEntity) [[unlikely]] {
      return ApplyToColumns(ExtractUserKey(*key), value);
    }
    if (type != kTypeBlobIndex || request_.relocates_below == 0) [[likely]] {
      return Status::OK();
    }
    return Relocate(key, value);
  }
  // After the last entry: all blob files are durable then.
  Status Finish() { return outputs_.Finish(); }
  void Abandon() { outputs_.Abandon(); }

  const std::vector<BlobFileAddition>& files() const {
    return outputs_.files();
  }
  uint64_t relocated_count() const { return relocated_count_; }
  uint64_t relocated_bytes() const { return relocated_bytes_; }

 private:
  bool Goes(const Slice& value) const {
    return request_.separates && !value.empty() && value.size() >= min_size_;
  }
  Status Separate(Slice* key, Slice* value);
  Status Relocate(Slice* key, Slice* value);
  Status ApplyToColumns(const Slice& user_key, Slice* entity);
  // Whether a reference is to what moves.
  Status IsToMove(const Slice& reference, bool* moves) const;
  Status FetchMoved(const Slice& user_key, const Slice& reference,
                    PinnableSlice* blob);
  void SetType(ValueType type, Slice* key);

  const Request request_;
  const uint64_t min_size_;
  BlobOutputs outputs_;
  std::string key_;
  std::string reference_;
  PinnableSlice blob_;
  std::string entity_;
  uint64_t relocated_count_ = 0;
  uint64_t relocated_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
