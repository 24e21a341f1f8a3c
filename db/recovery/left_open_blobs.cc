#include "db/recovery/left_open_blobs.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_flow.h"
#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/blob/growing_blobs.h"
#include "db/blob/unsealed_blob_file.h"
#include "db/family/column_family.h"
#include "db/recovery/wal_replay.h"
#include "db/version/version_edit.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "memtable/memtable.h"
#include "rocksdb/file_system.h"
#include "rocksdb/info_log.h"
#include "rocksdb/write_batch.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

struct LeftOpenBlobs::LeftOpen {
  LeftOpen() = default;
  LeftOpen(const LeftOpen&) = delete;
  LeftOpen& operator=(const LeftOpen&) = delete;
  ~LeftOpen() {
    if (growing != nullptr) growing->RemoveUser(number);
  }

  std::string path;
  uint64_t number = 0;
  bool is_looked_at = false;
  bool is_taken_up = false;
  uint64_t size_bytes = 0;
  UnsealedBlobFile::WholePart part;
  std::shared_ptr<GrowingBlobs> growing;  // null: it is not listed there
};

struct LeftOpenBlobs::Family {
  std::map<uint64_t, LeftOpen> files;  // by number
  std::vector<BlobFileAddition> taken_up;
  BlobFlow flow;
};

struct LeftOpenBlobs::Found {
  std::map<uint32_t, Family> families;  // by id
};

LeftOpenBlobs::LeftOpenBlobs(const ImmutableDBOptions* db)
    : db_(db), found_(std::make_unique<Found>()) {}

LeftOpenBlobs::~LeftOpenBlobs() = default;

LeftOpenBlobs::Family* LeftOpenBlobs::Of(const ColumnFamilyData& cfd) {
  return &found_->families[cfd.id()];
}

BlobFlow* LeftOpenBlobs::FlowOf(const ColumnFamilyData& cfd) {
  return &Of(cfd)->flow;
}

Status LeftOpenBlobs::Find(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  std::vector<std::string> names;
  Status s = db_->fs->GetChildren(cfd->blobs()->directory(), IOOptions(),
                                  &names, nullptr);
  if (!s.ok()) return s;
  const VersionStorage& storage = cfd->current()->storage();
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type) || type != kBlobFile ||
        storage.FindBlob(number) != nullptr) {
      continue;
    }
    LeftOpen& left = Of(*cfd)->files[number];
    left.number = number;
    left.path = cfd->blobs()->FilePath(number);
  }
  return s;
}

Status LeftOpenBlobs::CheckRecord(const WriteBatch& batch, uint64_t log_number,
                                  const FindFamily& find_family,
                                  LostBlob* lost) {
  INVARIANT(lost != nullptr);
  BatchReader reader(batch.Data());
  BatchEntry entry;
  Status s;
  while (s.ok() && !lost->is_lost && !reader.AtEnd()) {
    s = reader.Next(&entry);
    if (!s.ok() || !RefersToBlobs(entry.type, entry.value)) continue;
    ColumnFamilyData* const cfd = find_family(entry.column_family_id);
    if (cfd == nullptr || cfd->log_number() > log_number) continue;
    const Status decoded =
        ForEachReference(entry.type, entry.value, [&](const BlobIndex& blob) {
          if (s.ok() && !lost->is_lost) s = CheckBlob(cfd, blob, lost);
        });
    if (s.ok()) s = decoded;
  }
  return s;
}

Status LeftOpenBlobs::CheckBlob(ColumnFamilyData* cfd, const BlobIndex& blob,
                                LostBlob* lost) {
  const uint64_t number = blob.file_number;
  std::map<uint64_t, LeftOpen>& files = Of(*cfd)->files;
  const auto found = files.find(number);
  if (found == files.end()) {
    if (cfd->current()->storage().FindBlob(number) != nullptr) {
      return Status::OK();
    }
    *lost = {.is_lost = true,
             .is_cut_off = true,
             .what = cfd->blobs()->FilePath(number) +
                     " is lost, and the log refers to it"};
    return Status::OK();
  }
  LeftOpen& left = found->second;
  if (Status s = Look(cfd, &left); !s.ok()) return s;
  const uint64_t end = blob.offset + blob.size;
  if (end >= blob.offset && end <= left.part.end) return Status::OK();
  *lost = {.is_lost = true,
           .is_cut_off = end >= blob.offset && end > left.size_bytes,
           .what = left.path + " has lost a blob that the log refers to"};
  return Status::OK();
}

// From here on its blobs can be read.
Status LeftOpenBlobs::Look(ColumnFamilyData* cfd, LeftOpen* left) const {
  if (left->is_looked_at) return Status::OK();
  UnsealedBlobFile file;
  Status s = file.Open(db_->fs, left->path);
  if (!s.ok()) return s;
  left->size_bytes = file.size_bytes();
  BlobFileHeader header;
  s = file.ReadHeader(&header);
  if (s.IsCorruption()) {
    // Nothing of it came to the device, or not the first of it.
    left->is_looked_at = true;
    left->part.end = 0;
    return Status::OK();
  }
  if (!s.ok()) return s;
  if (header.column_family != cfd->id()) {
    return Status::Corruption(
        left->path, "is of column family " +
                        std::to_string(header.column_family) + ", and " +
                        cfd->name() + " refers to it");
  }
  s = file.FindWholePart(&left->part);
  BlobFileRef opened;
  if (s.ok()) {
    s = cfd->blobs()->OpenGrowing(left->number, header.compression, &opened);
  }
  if (!s.ok()) return s;
  opened->pinned_owner->SetRecordsEnd(left->part.end);
  left->growing = cfd->blobs()->growing();
  left->growing->Add(std::move(opened));
  left->is_looked_at = true;
  return s;
}

Status LeftOpenBlobs::TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                             VersionEdit* edit) {
  INVARIANT(cfd != nullptr && edit != nullptr);
  Family* const family = Of(*cfd);
  if (family->files.empty()) return Status::OK();
  std::set<uint64_t> wanted;
  const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
  Status s;
  for (it->SeekToFirst(); s.ok() && it->Valid(); it->Next()) {
    const ValueType type = ExtractType(it->key());
    if (!RefersToBlobs(type, it->value())) continue;
    s = ForEachReference(type, it->value(), [&](const BlobIndex& index) {
      wanted.insert(index.file_number);
    });
  }
  if (s.ok()) s = it->status();
  for (const uint64_t number : wanted) {
    const auto found = family->files.find(number);
    if (!s.ok() || found == family->files.end()) continue;
    LeftOpen& left = found->second;
    if (left.is_taken_up) continue;
    s = Look(cfd, &left);
    if (s.ok()) s = TakeUpOne(cfd, left, family, edit);
    if (s.ok()) left.is_taken_up = true;
  }
  return s;
}

// Written anew even if it has its end: what the page cache of a process that
// was killed holds may not be on the device.
Status LeftOpenBlobs::TakeUpOne(ColumnFamilyData* cfd, const LeftOpen& left,
                                Family* family, VersionEdit* edit) {
  const std::string& directory = cfd->blobs()->directory();
  const uint64_t number = left.number;
  if (left.part.blob_count == 0) {
    return Status::Corruption(left.path, "has no whole blob");
  }
  UnsealedBlobFile file;
  Status s = file.Open(db_->fs, left.path);
  if (s.ok()) {
    s = file.SealCopy(TempFileName(directory, number), left.part);
  }
  if (!s.ok()) return s;
  ROCKSDB_NAMESPACE::Info(
      db_->logger, "[%s] %s was left open: it has %llu blobs",
      cfd->name().c_str(), left.path.c_str(),
      static_cast<unsigned long long>(left.part.blob_count));
  BlobFileAddition addition;
  addition.number = number;
  addition.total_count = left.part.blob_count;
  addition.total_bytes = left.part.end - BlobFileHeader::kBytes;
  family->taken_up.push_back(addition);
  edit->blob_additions.push_back(std::move(addition));
  return s;
}

void LeftOpenBlobs::AddGarbage(const ColumnFamilyData& cfd, VersionEdit* edit) {
  INVARIANT(edit != nullptr);
  const Family& family = *Of(cfd);
  for (const BlobFileAddition& file : family.taken_up) {
    const BlobFileGarbage garbage = family.flow.GarbageOf(file);
    if (garbage.garbage_count > 0) edit->blob_garbage.push_back(garbage);
  }
}

}  // namespace ROCKSDB_NAMESPACE
