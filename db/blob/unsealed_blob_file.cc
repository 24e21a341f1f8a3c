#include "db/blob/unsealed_blob_file.h"

#include <algorithm>

#include "file/file_util.h"
#include "file/writable_file_writer.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status UnsealedBlobFile::Open(FileSystem* fs, const std::string& path) {
  INVARIANT(fs != nullptr && file_ == nullptr);
  fs_ = fs;
  path_ = path;
  Status s = fs->GetFileSize(path, IOOptions(), &size_, nullptr);
  if (s.ok()) {
    s = fs->NewRandomAccessFile(path, FileOptions(), &file_, nullptr);
  }
  return s;
}

bool UnsealedBlobFile::Read(uint64_t offset, uint64_t n, std::string* bytes,
                            Status* s) {
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

Status UnsealedBlobFile::ReadHeader(BlobFileHeader* header) {
  INVARIANT(header != nullptr);
  std::string bytes;
  Status s;
  if (Read(0, BlobFileHeader::kBytes, &bytes, &s)) {
    return header->DecodeFrom(bytes);
  }
  return s.ok() ? Status::Corruption(path_, "is too short for a blob file") : s;
}

Status UnsealedBlobFile::FindWholePart(WholePart* result) {
  INVARIANT(result != nullptr);
  Status s;
  std::string bytes;
  WholePart part;
  while (Read(part.end, BlobRecordHeader::kBytes, &bytes, &s)) {
    BlobRecordHeader header;
    if (!header.DecodeFrom(bytes).ok()) break;
    // Sizes are checked one by one: their sum may be anything.
    if (header.key_size > size_ || header.value_size > size_) break;
    const uint64_t n = BlobValueOffset(header.key_size) + header.value_size;
    if (!Read(part.end, n, &bytes, &s)) break;
    const Slice key(bytes.data() + BlobRecordHeader::kBytes, header.key_size);
    if (!CheckBlobRecord(bytes, key, header.value_size).ok()) break;
    ++part.blob_count;
    part.end += n;
  }
  if (s.ok()) *result = part;
  return s;
}

Status UnsealedBlobFile::SealCopy(const std::string& temporary,
                                  const WholePart& part) {
  constexpr uint64_t kPieceBytes = 256 << 10;
  std::unique_ptr<WritableFileWriter> writer;
  Status s = WritableFileWriter::Create(fs_, temporary, FileOptions(), &writer);
  std::string bytes;
  for (uint64_t done = 0; s.ok() && done < part.end; done += bytes.size()) {
    if (!Read(done, std::min(kPieceBytes, part.end - done), &bytes, &s)) {
      if (s.ok()) s = Status::Corruption(path_, "has become shorter");
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
  if (s.ok()) s = fs_->RenameFile(temporary, path_, IOOptions(), nullptr);
  if (!s.ok()) return s;
  return SyncDirectory(
      fs_, path_.substr(0, path_.rfind('/')),
      DirFsyncOptions(DirFsyncOptions::FsyncReason::kFileRenamed));
}

}  // namespace ROCKSDB_NAMESPACE
