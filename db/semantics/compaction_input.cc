#include "db/semantics/compaction_input.h"

#include "db/blob/blob_flow.h"
#include "table/blob_fetcher.h"
#include "table/entity_blobs.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

CompactionInput::CompactionInput(const Context& context,
                                 const InternalKeyComparator& order,
                                 CompactionIteratorStats* stats)
    : context_(context),
      order_(order),
      timestamp_size_(order.timestamp_size()),
      stats_(stats) {
  INVARIANT(context_.stream != nullptr);
  INVARIANT(stats_ != nullptr);
}

void CompactionInput::SeekToFirst() {
  if (context_.begin) {
    context_.stream->Seek(
        BeforeAllVersions(*context_.begin, timestamp_size_).Encode());
  } else {
    context_.stream->SeekToFirst();
  }
  is_valid_ = context_.stream->Valid();
  if (is_valid_) key_ = context_.stream->key();
  Load();
}

void CompactionInput::SkipTo(const Slice& user_key) {
  context_.stream->Seek(BeforeAllVersions(user_key, timestamp_size_).Encode());
  stats_->has_skipped = true;
  is_valid_ = context_.stream->Valid();
  if (is_valid_) key_ = context_.stream->key();
  Load();
}

void CompactionInput::Fail(Status status) {
  INVARIANT(!status.ok());
  if (status_.ok()) status_ = std::move(status);
  is_valid_ = false;
}

// An end may be an error.
void CompactionInput::LoadEnd() {
  Status s = context_.stream->status();
  if (!s.ok()) Fail(std::move(s));
}

void CompactionInput::LoadDamage() {
  ++stats_->corrupt_keys;
  Fail(
      Status::Corruption("compaction input: not an internal key", TextOfKey()));
}

bool CompactionInput::FailsToStop() {
  Status why = context_.stop.Check();
  if (why.ok()) return false;  // They have thought better of it.
  Fail(std::move(why));
  return true;
}

void CompactionInput::NoteReferences() {
  assert(is_valid_);
  if (context_.blob_flow == nullptr) return;
  Status s = ForEachReference(type(), value(), [this](const BlobIndex& index) {
    context_.blob_flow->NoteRead(user_key(), index);
  });
  if (!s.ok()) Fail(std::move(s));
}

bool CompactionInput::FetchEntity(Slice* entity) {
  assert(is_valid_);
  assert(type() == kTypeWideColumnEntity);
  const Slice stored = value();
  entity_.assign(stored.data(), stored.size());
  Status s = InlineBlobs(context_.blobs, user_key(), &entity_);
  if (!s.ok()) {
    Fail(std::move(s));
    return false;
  }
  *entity = entity_;
  return true;
}

bool CompactionInput::FetchBlob(Slice* blob) {
  assert(is_valid_);
  assert(type() == kTypeBlobIndex);
  if (context_.blobs == nullptr) {
    Fail(Status::NotSupported("a reference to a blob file where none can be"));
    return false;
  }
  blob_.Reset();
  Status s = context_.blobs->Fetch(user_key(), value(), &blob_);
  if (!s.ok()) {
    Fail(std::move(s));
    return false;
  }
  *blob = blob_;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
