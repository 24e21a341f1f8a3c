// The encrypted files: offsets with the prefix, and bytes with the stream.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "env/aligned_bytes.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/env_encryption.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// An encrypted copy of data that are to be written, as aligned as their file
// wants it.
class EncryptedCopy {
 public:
  template <class File>
  EncryptedCopy(const Slice& data, const File& file)
      : bytes_(data.size(), file.use_direct_io()
                                ? file.GetRequiredBufferAlignment()
                                : alignof(std::max_align_t)),
        size_(data.size()) {
    if (size_ > 0) memcpy(bytes_.data(), data.data(), size_);
  }
  IOStatus Encrypt(BlockAccessCipherStream* stream, uint64_t offset) {
    PERF_TIMER_GUARD(encrypt_data_nanos);
    return status_to_io_status(stream->Encrypt(offset, bytes_.data(), size_));
  }
  Slice data() { return Slice(bytes_.data(), size_); }

 private:
  AlignedBytes bytes_;
  const size_t size_;
};

// Into `scratch`, wherever the file below has put the bytes. A file that was
// empty when it was opened has no stream.
IOStatus DecryptBytes(BlockAccessCipherStream* stream, uint64_t offset,
                      char* scratch, Slice* bytes) {
  if (bytes->empty()) return IOStatus::OK();
  if (stream == nullptr) {
    return IOStatus::Corruption("bytes behind the prefix of an empty file");
  }
  if (bytes->data() != scratch) {
    memmove(scratch, bytes->data(), bytes->size());
    *bytes = Slice(scratch, bytes->size());
  }
  PERF_TIMER_GUARD(decrypt_data_nanos);
  return status_to_io_status(stream->Decrypt(offset, scratch, bytes->size()));
}

// Where the byte `offset` of the data is in the file.
size_t WithPrefix(size_t offset, size_t prefix_length) {
  return offset + prefix_length;
}

}  // namespace

// --- Front to back -----------------------------------------------------------

IOStatus EncryptedSequentialFile::Read(size_t n, const IOOptions& options,
                                       Slice* result, char* scratch,
                                       IODebugContext* dbg) {
  Slice bytes;
  IOStatus s = file_->Read(n, options, &bytes, scratch, dbg);
  if (!s.ok()) return s;
  s = DecryptBytes(stream_.get(), offset_, scratch, &bytes);
  if (!s.ok()) return s;
  offset_ += bytes.size();
  *result = bytes;
  return s;
}

IOStatus EncryptedSequentialFile::Skip(uint64_t n) {
  IOStatus s = file_->Skip(n);
  if (s.ok()) offset_ += n;
  return s;
}

bool EncryptedSequentialFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedSequentialFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedSequentialFile::InvalidateCache(size_t offset,
                                                  size_t length) {
  return file_->InvalidateCache(WithPrefix(offset, prefixLength_), length);
}

IOStatus EncryptedSequentialFile::PositionedRead(uint64_t offset, size_t n,
                                                 const IOOptions& options,
                                                 Slice* result, char* scratch,
                                                 IODebugContext* dbg) {
  const uint64_t position = offset + prefixLength_;
  Slice bytes;
  IOStatus s =
      file_->PositionedRead(position, n, options, &bytes, scratch, dbg);
  if (s.ok()) s = DecryptBytes(stream_.get(), position, scratch, &bytes);
  if (s.ok()) *result = bytes;
  return s;
}

Temperature EncryptedSequentialFile::GetTemperature() const {
  return file_->GetTemperature();
}

// --- Anywhere ----------------------------------------------------------------

IOStatus EncryptedRandomAccessFile::Read(uint64_t offset, size_t n,
                                         const IOOptions& options,
                                         Slice* result, char* scratch,
                                         IODebugContext* dbg) const {
  const uint64_t position = offset + prefixLength_;
  Slice bytes;
  IOStatus s = file_->Read(position, n, options, &bytes, scratch, dbg);
  if (s.ok()) s = DecryptBytes(stream_.get(), position, scratch, &bytes);
  if (s.ok()) *result = bytes;
  return s;
}

IOStatus EncryptedRandomAccessFile::Prefetch(uint64_t offset, size_t n,
                                             const IOOptions& options,
                                             IODebugContext* dbg) {
  return file_->Prefetch(offset + prefixLength_, n, options, dbg);
}

size_t EncryptedRandomAccessFile::GetUniqueId(char* id, size_t max_size) const {
  return file_->GetUniqueId(id, max_size);
}

void EncryptedRandomAccessFile::Hint(AccessPattern pattern) {
  file_->Hint(pattern);
}

bool EncryptedRandomAccessFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedRandomAccessFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedRandomAccessFile::InvalidateCache(size_t offset,
                                                    size_t length) {
  return file_->InvalidateCache(WithPrefix(offset, prefixLength_), length);
}

IOStatus EncryptedRandomAccessFile::GetFileSize(uint64_t* result) {
  uint64_t size = 0;
  IOStatus s = file_->GetFileSize(&size);
  if (s.ok()) *result = size - std::min<uint64_t>(size, prefixLength_);
  return s;
}

Temperature EncryptedRandomAccessFile::GetTemperature() const {
  return file_->GetTemperature();
}

// --- Growing -----------------------------------------------------------------

IOStatus EncryptedWritableFile::Append(const Slice& data,
                                       const IOOptions& options,
                                       IODebugContext* dbg) {
  const uint64_t position = file_->GetFileSize(options, dbg);
  EncryptedCopy copy(data, *file_);
  IOStatus s = copy.Encrypt(stream_.get(), position);
  if (!s.ok()) return s;
  return file_->Append(copy.data(), options, dbg);
}

IOStatus EncryptedWritableFile::PositionedAppend(const Slice& data,
                                                 uint64_t offset,
                                                 const IOOptions& options,
                                                 IODebugContext* dbg) {
  const uint64_t position = offset + prefixLength_;
  EncryptedCopy copy(data, *file_);
  IOStatus s = copy.Encrypt(stream_.get(), position);
  if (!s.ok()) return s;
  return file_->PositionedAppend(copy.data(), position, options, dbg);
}

bool EncryptedWritableFile::IsSyncThreadSafe() const {
  return file_->IsSyncThreadSafe();
}

bool EncryptedWritableFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedWritableFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

uint64_t EncryptedWritableFile::GetFileSize(const IOOptions& options,
                                            IODebugContext* dbg) {
  const uint64_t size = file_->GetFileSize(options, dbg);
  return size - std::min<uint64_t>(size, prefixLength_);
}

IOStatus EncryptedWritableFile::Truncate(uint64_t size,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  return file_->Truncate(size + prefixLength_, options, dbg);
}

IOStatus EncryptedWritableFile::InvalidateCache(size_t offset, size_t length) {
  return file_->InvalidateCache(WithPrefix(offset, prefixLength_), length);
}

IOStatus EncryptedWritableFile::RangeSync(uint64_t offset, uint64_t nbytes,
                                          const IOOptions& options,
                                          IODebugContext* dbg) {
  return file_->RangeSync(offset + prefixLength_, nbytes, options, dbg);
}

void EncryptedWritableFile::PrepareWrite(size_t offset, size_t len,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  file_->PrepareWrite(WithPrefix(offset, prefixLength_), len, options, dbg);
}

void EncryptedWritableFile::SetPreallocationBlockSize(size_t size) {
  file_->SetPreallocationBlockSize(size);
}

void EncryptedWritableFile::GetPreallocationStatus(
    size_t* block_size, size_t* last_allocated_block) {
  file_->GetPreallocationStatus(block_size, last_allocated_block);
}

IOStatus EncryptedWritableFile::Allocate(uint64_t offset, uint64_t len,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  return file_->Allocate(offset + prefixLength_, len, options, dbg);
}

IOStatus EncryptedWritableFile::Flush(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Flush(options, dbg);
}

IOStatus EncryptedWritableFile::Sync(const IOOptions& options,
                                     IODebugContext* dbg) {
  return file_->Sync(options, dbg);
}

IOStatus EncryptedWritableFile::Fsync(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Fsync(options, dbg);
}

IOStatus EncryptedWritableFile::Close(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Close(options, dbg);
}

void EncryptedWritableFile::SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
  file_->SetWriteLifeTimeHint(hint);
}

Env::WriteLifeTimeHint EncryptedWritableFile::GetWriteLifeTimeHint() {
  return file_->GetWriteLifeTimeHint();
}

void EncryptedWritableFile::SetIOPriority(Env::IOPriority pri) {
  file_->SetIOPriority(pri);
}

Env::IOPriority EncryptedWritableFile::GetIOPriority() {
  return file_->GetIOPriority();
}

size_t EncryptedWritableFile::GetUniqueId(char* id, size_t max_size) const {
  return file_->GetUniqueId(id, max_size);
}

// --- Reading and writing -----------------------------------------------------

bool EncryptedRandomRWFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedRandomRWFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedRandomRWFile::Write(uint64_t offset, const Slice& data,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  const uint64_t position = offset + prefixLength_;
  EncryptedCopy copy(data, *file_);
  IOStatus s = copy.Encrypt(stream_.get(), position);
  if (!s.ok()) return s;
  return file_->Write(position, copy.data(), options, dbg);
}

IOStatus EncryptedRandomRWFile::Read(uint64_t offset, size_t n,
                                     const IOOptions& options, Slice* result,
                                     char* scratch, IODebugContext* dbg) const {
  const uint64_t position = offset + prefixLength_;
  Slice bytes;
  IOStatus s = file_->Read(position, n, options, &bytes, scratch, dbg);
  if (s.ok()) s = DecryptBytes(stream_.get(), position, scratch, &bytes);
  if (s.ok()) *result = bytes;
  return s;
}

IOStatus EncryptedRandomRWFile::Flush(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Flush(options, dbg);
}

IOStatus EncryptedRandomRWFile::Sync(const IOOptions& options,
                                     IODebugContext* dbg) {
  return file_->Sync(options, dbg);
}

IOStatus EncryptedRandomRWFile::Fsync(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Fsync(options, dbg);
}

IOStatus EncryptedRandomRWFile::Close(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Close(options, dbg);
}

Temperature EncryptedRandomRWFile::GetTemperature() const {
  return file_->GetTemperature();
}

}  // namespace ROCKSDB_NAMESPACE
