#include "db/recovery/left_open_blobs.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/family/column_family.h"
#include "db/version/version_edit.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "memtable/memtable.h"
#include "rocksdb/file_system.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string DirectoryOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// A file that is read from front to back, record by record.
class LeftOpenFile {
 public:
  Status Open(FileSystem* fs, const std::string& path) {
    path_ = path;
    Status s = fs->GetFileSize(path, IOOptions(), &size_, nullptr);
    if (s.ok()) {
      s = fs->NewRandomAccessFile(path, FileOptions(), &file_, nullptr);
    }
    return s;
  }
  uint64_t size() const { return size_; }

  // False: the file has no such bytes, or they cannot be read (*s).
  bool Read(uint64_t offset, uint64_t n, std::string* bytes, Status* s) {
    if (n > size_ || offset > size_ - n) return false;
    bytes->resize(n);
    Slice found;
    *s = file_->Read(offset, n, IOOptions(), &found, bytes->data(), nullptr);
    if (!s->ok()) return false;
    if (found.size() != n) {
      *s = Status::Corruption(path_, "ends before its size says");
      return false;
    }
    if (found.data() != bytes->data()) bytes->assign(found.data(), n);
    return true;
  }

 private:
  std::string path_;
  std::unique_ptr<FSRandomAccessFile> file_;
  uint64_t size_ = 0;
};

// How much of it is whole.
struct WholePart {
  uint64_t blob_count = 0;
  uint64_t end = BlobFileHeader::kBytes;
};

Status FindWholePart(LeftOpenFile* file, WholePart* result) {
  Status s;
  std::string bytes;
  WholePart part;
  while (file->Read(part.end, BlobRecordHeader::kBytes, &bytes, &s)) {
    BlobRecordHeader header;
    if (!header.DecodeFrom(bytes).ok()) break;
    // Sizes are checked one by one: their sum may be anything.
    if (header.key_size > file->size() || header.value_size > file->size()) {
      break;
    }
    const uint64_t n = BlobValueOffset(header.key_size) + header.value_size;
    if (!file->Read(part.end, n, &bytes, &s)) break;
    const Slice key(bytes.data() + BlobRecordHeader::kBytes, header.key_size);
    if (!CheckBlobRecord(bytes, key, header.value_size).ok()) break;
    ++part.blob_count;
    part.end += n;
  }
  if (s.ok()) *result = part;
  return s;
}

bool HasItsEnd(LeftOpenFile* file, const WholePart& part, Status* s) {
  std::string bytes;
  if (part.end + BlobFileFooter::kBytes != file->size() ||
      !file->Read(part.end, BlobFileFooter::kBytes, &bytes, s)) {
    return false;
  }
  BlobFileFooter footer;
  return footer.DecodeFrom(bytes).ok() && footer.blob_count == part.blob_count;
}

// A copy with an end takes its place: whatever happens, one of them is there.
Status WriteSealed(FileSystem* fs, const std::string& path,
                   const std::string& temporary, const WholePart& part,
                   LeftOpenFile* file) {
  constexpr uint64_t kPieceBytes = 256 << 10;
  std::unique_ptr<WritableFileWriter> writer;
  Status s = WritableFileWriter::Create(fs, temporary, FileOptions(), &writer);
  std::string bytes;
  for (uint64_t done = 0; s.ok() && done < part.end; done += bytes.size()) {
    if (!file->Read(done, std::min(kPieceBytes, part.end - done), &bytes, &s)) {
      break;
    }
    s = writer->Append(bytes);
  }
  if (!s.ok()) return s;
  bytes.clear();
  BlobFileFooter{.blob_count = part.blob_count}.EncodeTo(&bytes);
  s = writer->Append(bytes);
  if (s.ok()) s = writer->Sync(/*use_fsync=*/true);
  if (s.ok()) s = writer->Close();
  if (s.ok()) s = fs->RenameFile(temporary, path, IOOptions(), nullptr);
  if (!s.ok()) return s;
  return SyncDirectory(
      fs, DirectoryOf(path),
      DirFsyncOptions(DirFsyncOptions::FsyncReason::kFileRenamed));
}

}  // namespace

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
    found_[cfd->id()][number] = cfd->blobs()->FilePath(number);
  }
  return s;
}

Status LeftOpenBlobs::TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                             VersionEdit* edit) {
  INVARIANT(cfd != nullptr && edit != nullptr);
  std::map<uint64_t, std::string>& found = found_[cfd->id()];
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
    if (s.ok()) s = TakeUpOne(*cfd, found[number], number, edit);
    found.erase(number);
  }
  return s;
}

Status LeftOpenBlobs::TakeUpOne(const ColumnFamilyData& cfd,
                                const std::string& path, uint64_t number,
                                VersionEdit* edit) {
  LeftOpenFile file;
  Status s = file.Open(db_->fs, path);
  if (!s.ok()) return s;
  std::string bytes;
  BlobFileHeader header;
  if (!file.Read(0, BlobFileHeader::kBytes, &bytes, &s)) {
    return s.ok() ? Status::Corruption(path, "is too short for a blob file")
                  : s;
  }
  if (s = header.DecodeFrom(bytes); !s.ok()) return s;
  if (header.column_family != cfd.id()) {
    return Status::Corruption(
        path, "is of column family " + std::to_string(header.column_family) +
                  ", and " + cfd.name() + " refers to it");
  }
  WholePart part;
  s = FindWholePart(&file, &part);
  if (s.ok() && !HasItsEnd(&file, part, &s) && s.ok()) {
    s = WriteSealed(db_->fs, path, TempFileName(DirectoryOf(path), number),
                    part, &file);
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
