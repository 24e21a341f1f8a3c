#include "db/lookup/logged_blobs.h"

#include <string>
#include <utility>

#include "db/blob/blob_source.h"
#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "db/manifest/version_set.h"
#include "db/version/version_blobs.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "table/entity_blobs.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status HasReferences(const WriteBatch& batch, bool* result) {
  BatchReader reader(batch.Data());
  BatchEntry entry;
  Status s;
  *result = false;
  while (s.ok() && !*result && !reader.AtEnd()) {
    s = reader.Next(&entry);
    *result = s.ok() && RefersToBlobs(entry.type, entry.value);
  }
  return s;
}

// The present state of a family.
class FamilyState {
 public:
  FamilyState(Mutex* mutex, VersionSet* versions, uint32_t id) {
    {
      MutexLock lock(mutex);
      ColumnFamilyData* const found = versions->families()->Find(id);
      if (found != nullptr) cfd_ = found->shared_from_this();
    }
    if (cfd_ != nullptr) state_ = cfd_->TryAcquireReferenced();
  }
  ~FamilyState() {
    if (state_ != nullptr) ColumnFamilyData::Release(state_);
  }
  FamilyState(const FamilyState&) = delete;
  FamilyState& operator=(const FamilyState&) = delete;

  // *type and *value: as the log has them, then as they were written.
  Status Inline(const Slice& key, ValueType* type, std::string* value) const {
    bool is_gone = state_ == nullptr;
    if (!is_gone) {
      const BlobFileList& listed = state_->current->storage().blobs();
      Status s = ForEachReference(*type, *value, [&](const BlobIndex& blob) {
        is_gone = is_gone ||
                  cfd_->blobs()->FindFile(listed, blob.file_number) == nullptr;
      });
      if (!s.ok()) return s;
    }
    if (is_gone) {
      return Status::NotFound(
          "the log refers to a value in a blob file that is gone");
    }
    ReadOptions options;
    options.fill_cache = false;
    const VersionBlobs blobs(&options, &state_->current->storage(),
                             cfd_->blobs());
    return InlineBlobs(&blobs, key, type, value);
  }

 private:
  ColumnFamilyRef cfd_;            // null: it was dropped
  SuperVersion* state_ = nullptr;  // null also if its last handle went since
};

// Appends the entry to the bytes of a batch.
Status AppendWritten(const FamilyState& family, const BatchEntry& entry,
                     std::string* bytes) {
  ValueType type = entry.type;
  std::string value = entry.value.ToString();
  Status s = family.Inline(entry.key, &type, &value);
  if (!s.ok()) return s;
  const Slice written(value);
  const SliceParts parts(&written, 1);
  WriteBatch one;
  s = WriteBatchInternal::Add(&one, type, entry.column_family_id,
                              SliceParts(&entry.key, 1), &parts);
  if (s.ok()) bytes->append(one.Data(), kBatchHeaderBytes, std::string::npos);
  return s;
}

}  // namespace

Status InlineLoggedBlobs(Mutex* mutex, VersionSet* versions,
                         WriteBatch* batch) {
  INVARIANT(mutex != nullptr && versions != nullptr && batch != nullptr);
  bool refers = false;
  Status s = HasReferences(*batch, &refers);
  if (!s.ok() || !refers) return s;
  const std::string& logged = batch->Data();
  std::string bytes = logged.substr(0, kBatchHeaderBytes);
  BatchReader reader(logged);
  while (!reader.AtEnd()) {
    const size_t begin = logged.size() - reader.remaining_bytes();
    BatchEntry entry;
    s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (!RefersToBlobs(entry.type, entry.value)) {
      const size_t end = logged.size() - reader.remaining_bytes();
      bytes.append(logged, begin, end - begin);
      continue;
    }
    const FamilyState family(mutex, versions, entry.column_family_id);
    if (s = AppendWritten(family, entry, &bytes); !s.ok()) return s;
  }
  WriteBatch written;
  s = WriteBatchInternal::SetContents(&written, bytes);
  if (s.ok()) *batch = std::move(written);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
