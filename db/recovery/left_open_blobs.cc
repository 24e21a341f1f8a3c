#include "db/recovery/left_open_blobs.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/blob/unsealed_blob_file.h"
#include "db/family/column_family.h"
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

namespace {

std::string DirectoryOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

struct LeftOpenBlobs::LeftOpen {
  std::string path;
  bool is_looked_at = false;
  UnsealedBlobFile::WholePart part;
};

struct LeftOpenBlobs::Found {
  // By number, by family.
  std::map<uint32_t, std::map<uint64_t, LeftOpen>> files;
  std::set<uint64_t> taken_up;
};

LeftOpenBlobs::LeftOpenBlobs(const ImmutableDBOptions* db)
    : db_(db), found_(std::make_unique<Found>()) {}

LeftOpenBlobs::~LeftOpenBlobs() = default;

Status LeftOpenBlobs::CheckRecord(const WriteBatch& batch, uint64_t log_number,
                                  const FindFamily& find_family) {
  BatchReader reader(batch.Data());
  BatchEntry entry;
  while (!reader.AtEnd()) {
    Status s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (!RefersToBlobs(entry.type, entry.value)) continue;
    ColumnFamilyData* const cfd = find_family(entry.column_family_id);
    if (cfd == nullptr || cfd->log_number() > log_number) continue;
    if (s = CheckEntry(cfd, entry); !s.ok()) return s;
  }
  return Status::OK();
}

Status LeftOpenBlobs::Find(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  std::vector<std::string> names;
  Status s = db_->fs->GetChildren(DirectoryOf(cfd->blobs()->FilePath(1)),
                                  IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  const VersionStorage& storage = cfd->current()->storage();
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type) || type != kBlobFile ||
        storage.FindBlob(number) != nullptr) {
      continue;
    }
    found_->files[cfd->id()][number].path = cfd->blobs()->FilePath(number);
  }
  return s;
}

Status LeftOpenBlobs::CheckEntry(ColumnFamilyData* cfd,
                                 const BatchEntry& entry) {
  INVARIANT(cfd != nullptr);
  std::map<uint64_t, LeftOpen>& found = found_->files[cfd->id()];
  Status s;
  const Status decoded =
      ForEachReference(entry.type, entry.value, [&](const BlobIndex& index) {
        if (!s.ok()) return;
        const auto left = found.find(index.file_number);
        if (left == found.end()) {
          // One that was taken up before is in no version yet.
          const bool is_known =
              found_->taken_up.contains(index.file_number) ||
              cfd->current()->storage().FindBlob(index.file_number) != nullptr;
          if (is_known) return;
          s = Status::Incomplete(cfd->blobs()->FilePath(index.file_number),
                                 "is lost, and the log refers to it");
          return;
        }
        s = Look(*cfd, &left->second);
        if (!s.ok() || index.offset + index.size <= left->second.part.end) {
          return;
        }
        s = Status::Incomplete(left->second.path,
                               "has lost a blob that the log refers to");
      });
  return s.ok() ? decoded : s;
}

Status LeftOpenBlobs::TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                             VersionEdit* edit) {
  INVARIANT(cfd != nullptr && edit != nullptr);
  std::map<uint64_t, LeftOpen>& found = found_->files[cfd->id()];
  if (found.empty()) return Status::OK();
  std::set<uint64_t> wanted;
  const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
  Status s;
  for (it->SeekToFirst(); s.ok() && it->Valid(); it->Next()) {
    const ValueType type = ExtractType(it->key());
    if (!RefersToBlobs(type, it->value())) continue;
    s = ForEachReference(type, it->value(), [&](const BlobIndex& index) {
      if (found.contains(index.file_number)) wanted.insert(index.file_number);
    });
  }
  if (s.ok()) s = it->status();
  for (const uint64_t number : wanted) {
    if (s.ok()) s = TakeUpOne(*cfd, number, &found[number], edit);
    found.erase(number);
    found_->taken_up.insert(number);
  }
  return s;
}

Status LeftOpenBlobs::Look(const ColumnFamilyData& cfd, LeftOpen* left) const {
  if (left->is_looked_at) return Status::OK();
  BlobFileHeader header;
  UnsealedBlobFile file;
  Status s = file.Open(db_->fs, left->path);
  if (s.ok()) s = file.ReadHeader(&header);
  if (!s.ok()) return s;
  if (header.column_family != cfd.id()) {
    return Status::Corruption(
        left->path, "is of column family " +
                        std::to_string(header.column_family) + ", and " +
                        cfd.name() + " refers to it");
  }
  s = file.FindWholePart(&left->part);
  if (s.ok()) left->is_looked_at = true;
  return s;
}

Status LeftOpenBlobs::TakeUpOne(const ColumnFamilyData& cfd, uint64_t number,
                                LeftOpen* left, VersionEdit* edit) {
  Status s = Look(cfd, left);
  if (!s.ok()) return s;
  const std::string& path = left->path;
  const UnsealedBlobFile::WholePart& part = left->part;
  UnsealedBlobFile file;
  bool has_end = false;
  s = file.Open(db_->fs, path);
  if (s.ok()) s = file.HasItsEnd(part, &has_end);
  if (s.ok() && !has_end) {
    s = file.SealCopy(TempFileName(DirectoryOf(path), number), part);
  }
  if (!s.ok()) return s;
  ROCKSDB_NAMESPACE::Info(db_->logger,
                          "[%s] %s was left open: it has %llu blobs",
                          cfd.name().c_str(), path.c_str(),
                          static_cast<unsigned long long>(part.blob_count));
  BlobFileAddition addition;
  addition.number = number;
  addition.total_count = part.blob_count;
  addition.total_bytes = part.end - BlobFileHeader::kBytes;
  edit->blob_additions.push_back(std::move(addition));
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
