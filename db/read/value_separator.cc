#include "db/read/value_separator.h"

#include "db/blob/blob_index.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ValueSeparator::ValueSeparator(Request request)
    : request_(std::move(request)),
      min_size_(request_.output.options->min_blob_size),
      outputs_(request_.output) {
  INVARIANT(request_.relocates_below == 0 || request_.blobs != nullptr);
}

void ValueSeparator::SetType(ValueType type, Slice* key) {
  assert(key->size() >= kInternalKeyTrailerBytes);
  const SequenceNumber sequence = ExtractSequence(*key);
  key_.assign(key->data(), key->size());
  EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                PackSequenceAndType(sequence, type));
  *key = key_;
}

Status ValueSeparator::Separate(Slice* key, Slice* value) {
  assert(request_.separates);
  assert(!value->empty());
  Status s = outputs_.Add(ExtractUserKey(*key), *value, &reference_);
  if (!s.ok() || reference_.empty()) return s;
  SetType(kTypeBlobIndex, key);
  *value = reference_;
  return s;
}

Status ValueSeparator::Relocate(Slice* key, Slice* value) {
  assert(ExtractType(*key) == kTypeBlobIndex);
  BlobIndex index;
  Status s = index.DecodeFrom(*value);
  if (!s.ok() || index.file_number >= request_.relocates_below) return s;
  blob_.Reset();
  s = request_.blobs->Fetch(ExtractUserKey(*key), *value, &blob_);
  if (!s.ok()) return s;
  ++relocated_count_;
  relocated_bytes_ += blob_.size();
  SetType(kTypeValue, key);
  *value = blob_;
  const bool goes =
      request_.separates && !value->empty() && value->size() >= min_size_;
  return goes ? Separate(key, value) : s;
}

}  // namespace ROCKSDB_NAMESPACE
