#include "db/recovery/salvaged_file.h"

#include <algorithm>
#include <memory>

#include "db/blob/blob_format.h"
#include "db/tables/external_table.h"
#include "table/properties_block.h"
#include "table/unique_id.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Every entry, in order: bounds, sequences, the oldest blob file.
Status ScanEntries(const TableReader& reader,
                   const InternalKeyComparator& order, FileMeta* meta) {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  TableIteratorOptions options;
  options.read_options = &read;
  options.skip_filters = true;
  const std::unique_ptr<InternalIterator> entries = reader.NewIterator(options);
  std::string before;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    ParsedInternalKey parsed;
    if (!ParseInternalKey(entries->key(), &parsed)) {
      return Status::Corruption("a key that is none");
    }
    if (!before.empty() && order.Compare(Slice(before), entries->key()) >= 0) {
      return Status::Corruption("keys are out of order");
    }
    before.assign(entries->key().data(), entries->key().size());
    meta->smallest_sequence =
        std::min(meta->smallest_sequence, parsed.sequence);
    meta->largest_sequence = std::max(meta->largest_sequence, parsed.sequence);
    if (!MayReferToBlobs(parsed.type)) continue;
    uint64_t* oldest = &meta->oldest_blob_file;
    Status s = ForEachReference(
        parsed.type, entries->value(), [oldest](const BlobIndex& index) {
          if (*oldest == 0 || index.file_number < *oldest) {
            *oldest = index.file_number;
          }
        });
    if (!s.ok()) return s;
  }
  return entries->status();
}

void TakeProperties(const TableProperties& properties, FileMeta* meta) {
  meta->file_creation_time = properties.file_creation_time;
  meta->oldest_ancestor_time = properties.creation_time;
  if (properties.tail_start_offset > 0 &&
      properties.tail_start_offset < meta->size_bytes) {
    meta->tail_size_bytes = meta->size_bytes - properties.tail_start_offset;
  }
  TableUniqueId id;
  // A file without an origin has no unique id.
  if (InternalUniqueIdOf(properties, &id).ok()) {
    meta->unique_id = {id[0], id[1]};
  }
}

Status OpenTable(const SalvageRequest& request,
                 std::unique_ptr<TableReader>* reader, uint64_t* size_bytes) {
  ExternalTableRequest open;
  open.db = request.db;
  open.cf = request.cf;
  open.mutable_cf = request.mutable_cf;
  open.file_options = request.file_options;
  open.path = request.path;
  return OpenExternalTable(open, reader, size_bytes);
}

}  // namespace

Status FindTableOwner(const SalvageRequest& request, TableOwner* owner) {
  INVARIANT(owner != nullptr);
  std::unique_ptr<TableReader> reader;
  uint64_t size_bytes = 0;
  Status s = OpenTable(request, &reader, &size_bytes);
  if (!s.ok()) return s;
  constexpr uint64_t kUnknown =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  const TableProperties& properties = *reader->properties();
  if (properties.column_family_id == kUnknown ||
      properties.column_family_id > UINT32_MAX) {
    return s;
  }
  owner->family_id = static_cast<uint32_t>(properties.column_family_id);
  if (!properties.column_family_name.empty()) {
    owner->family_name = properties.column_family_name;
  }
  const bool is_default = owner->family_name == kDefaultColumnFamilyName;
  if ((owner->family_id == 0) == is_default) return s;
  return Status::Corruption(request.path, "names another family than its own");
}

Status SalvageTable(const SalvageRequest& request, FileMeta* meta,
                    bool* is_ingested) {
  INVARIANT(request.db != nullptr && request.cf != nullptr);
  INVARIANT(meta != nullptr && is_ingested != nullptr);
  std::unique_ptr<TableReader> reader;
  Status s = OpenTable(request, &reader, &meta->size_bytes);
  if (!s.ok()) return s;
  s = DescribeTable(*reader, request.cf->internal_comparator, meta);
  if (s.ok()) s = ScanEntries(*reader, request.cf->internal_comparator, meta);
  if (!s.ok()) return s;
  meta->LeaveOutTimestamps(request.cf->left_out_timestamp_bytes());
  const TableProperties& properties = *reader->properties();
  TakeProperties(properties, meta);
  *is_ingested = properties.user_collected_properties.count(
                     kExternalSstVersionProperty) > 0;
  return s;
}

Status SalvageBlobFile(FileSystem* fs, const std::string& path, uint64_t number,
                       SalvagedBlobFile* result) {
  INVARIANT(fs != nullptr && result != nullptr);
  uint64_t size = 0;
  Status s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (!s.ok()) return s;
  if (size < BlobFile::kFrameBytes) {
    return Status::Corruption(path, "is too short for a blob file");
  }
  std::unique_ptr<FSRandomAccessFile> file;
  s = fs->NewRandomAccessFile(path, FileOptions(), &file, nullptr);
  if (!s.ok()) return s;
  char scratch[BlobFileFooter::kBytes];
  static_assert(sizeof(scratch) >= BlobFileHeader::kBytes);
  Slice bytes;
  BlobFileHeader header;
  s = file->Read(0, BlobFileHeader::kBytes, IOOptions(), &bytes, scratch,
                 nullptr);
  if (s.ok()) s = header.DecodeFrom(bytes);
  if (!s.ok()) return s;
  BlobFileFooter footer;
  s = file->Read(size - BlobFileFooter::kBytes, BlobFileFooter::kBytes,
                 IOOptions(), &bytes, scratch, nullptr);
  if (s.ok()) s = footer.DecodeFrom(bytes);
  if (!s.ok()) return s;
  result->family_id = header.column_family;
  result->record.number = number;
  result->record.total_count = footer.blob_count;
  result->record.total_bytes = size - BlobFile::kFrameBytes;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
