#include "env/encryption/encrypted_file_system.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "env/aligned_bytes.h"
#include "env/composite_env.h"
#include "options/object_kinds.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using StreamMaker = std::function<IOStatus(
    Slice prefix, std::unique_ptr<BlockAccessCipherStream>* stream)>;

// Reads what `prefix` lacks of `length` bytes, as far as the file has them. It
// then goes on behind them.
IOStatus ReadPrefix(FSSequentialFile* file, size_t length,
                    const IOOptions& options, std::string* prefix,
                    IODebugContext* dbg) {
  AlignedBytes bytes(length, file->GetRequiredBufferAlignment());
  Slice read;
  if (!file->use_direct_io()) {
    IOStatus s =
        file->Read(length - prefix->size(), options, &read, bytes.data(), dbg);
    if (s.ok()) prefix->append(read.data(), read.size());
    return s;
  }
  IOStatus s =
      file->PositionedRead(0, length, options, &read, bytes.data(), dbg);
  if (!s.ok()) return s;
  prefix->assign(read.data(), read.size());
  // A positioned read leaves the file where it was.
  return read.size() < length ? s : file->Skip(length);
}

// A file whose prefix was not yet there when it was opened: whoever writes it
// has just created it. It is empty until then.
class LateSequentialFile final : public FSSequentialFile {
 public:
  LateSequentialFile(std::unique_ptr<FSSequentialFile> file, std::string prefix,
                     size_t prefix_length, StreamMaker make_stream)
      : file_(std::move(file)),
        is_direct_(file_->use_direct_io()),
        alignment_(file_->GetRequiredBufferAlignment()),
        prefix_(std::move(prefix)),
        prefix_length_(prefix_length),
        make_stream_(std::move(make_stream)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus s = Begin(options, dbg);
    if (!s.ok()) return s;
    if (decrypted_ != nullptr) {
      return decrypted_->Read(n, options, result, scratch, dbg);
    }
    *result = Slice(scratch, 0);
    return s;
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus s = Begin(options, dbg);
    if (!s.ok()) return s;
    if (decrypted_ != nullptr) {
      return decrypted_->PositionedRead(offset, n, options, result, scratch,
                                        dbg);
    }
    *result = Slice(scratch, 0);
    return s;
  }
  IOStatus Skip(uint64_t n) override {
    // What is skipped is behind the end.
    return decrypted_ != nullptr ? decrypted_->Skip(n) : IOStatus::OK();
  }
  bool use_direct_io() const override { return is_direct_; }
  size_t GetRequiredBufferAlignment() const override { return alignment_; }

 private:
  // Looks whether the prefix is there by now.
  IOStatus Begin(const IOOptions& options, IODebugContext* dbg) {
    if (decrypted_ != nullptr) return IOStatus::OK();
    IOStatus s =
        ReadPrefix(file_.get(), prefix_length_, options, &prefix_, dbg);
    if (!s.ok() || prefix_.size() < prefix_length_) return s;
    std::unique_ptr<BlockAccessCipherStream> stream;
    s = make_stream_(prefix_, &stream);
    if (!s.ok()) return s;
    decrypted_ = std::make_unique<EncryptedSequentialFile>(
        std::move(file_), std::move(stream), prefix_length_);
    return s;
  }

  std::unique_ptr<FSSequentialFile> file_;
  const bool is_direct_;
  const size_t alignment_;
  std::string prefix_;
  const size_t prefix_length_;
  const StreamMaker make_stream_;
  std::unique_ptr<FSSequentialFile> decrypted_;
};

}  // namespace

// --- Options -----------------------------------------------------------------

Status EncryptedFileSystemImpl::ConfigureOption(const ConfigOptions& config,
                                                const std::string& name,
                                                const std::string& value) {
  if (name != "provider") {
    return EncryptedFileSystem::ConfigureOption(config, name, value);
  }
  return EncryptionProvider::CreateFromString(config, value, &provider_);
}

Status EncryptedFileSystemImpl::GetOptionString(const ConfigOptions& config,
                                                std::string* result) const {
  Status s = EncryptedFileSystem::GetOptionString(config, result);
  if (s.ok()) {
    *result += "provider=" + PrintObject(config, provider_.get()) + ";";
  }
  return s;
}

Status EncryptedFileSystemImpl::PrepareOptions(const ConfigOptions& config) {
  if (provider_ == nullptr) {
    return MissingObject("provider");
  }
  Status s = provider_->PrepareOptions(config);
  return s.ok() ? EncryptedFileSystem::PrepareOptions(config) : s;
}

void EncryptedFileSystemImpl::SanitizeFileOptions(FileOptions* options) const {
  EncryptedFileSystem::SanitizeFileOptions(options);
  options->use_mmap_reads = false;
  options->use_mmap_writes = false;
}

FileOptions EncryptedFileSystemImpl::OptimizeForLogWrite(
    const FileOptions& file_options, const DBOptions& db_options) const {
  FileOptions result =
      EncryptedFileSystem::OptimizeForLogWrite(file_options, db_options);
  // The zeros behind the data of such a file would not be zeros once they are
  // decrypted.
  result.use_mapped_appends = false;
  return result;
}

void EncryptedFileSystemImpl::SupportedOps(int64_t& supported_ops) {
  EncryptedFileSystem::SupportedOps(supported_ops);
  // Reads end in decryption, which has the buffer of the caller and his thread.
  supported_ops &= ~(int64_t{1} << FSSupportedOps::kAsyncIO |
                     int64_t{1} << FSSupportedOps::kFSBuffer);
}

bool EncryptedFileSystemImpl::IsClosedEverywhere(
    const std::string& path) const {
  const auto* holders = dynamic_cast<const FileHolders*>(target());
  return holders != nullptr && holders->IsClosedEverywhere(path);
}

// --- Opening -----------------------------------------------------------------

IOStatus EncryptedFileSystemImpl::CheckOpen(const std::string& fname,
                                            const FileOptions& options) const {
  if (options.use_mmap_reads || options.use_mmap_writes) {
    return IOStatus::InvalidArgument(
        "an encrypted file cannot be memory-mapped", fname);
  }
  return IOStatus::OK();
}

IOStatus EncryptedFileSystemImpl::CheckAlignment(const std::string& fname,
                                                 bool is_direct,
                                                 size_t alignment) const {
  if (!is_direct || PrefixLength() % alignment == 0) return IOStatus::OK();
  return IOStatus::InvalidArgument(
      fname, "direct I/O wants an alignment of " + std::to_string(alignment) +
                 " bytes, the encrypted data begin at " +
                 std::to_string(PrefixLength()));
}

IOStatus EncryptedFileSystemImpl::MakeStream(
    const std::string& fname, const FileOptions& options, Slice prefix,
    std::unique_ptr<BlockAccessCipherStream>* stream) const {
  return status_to_io_status(
      provider_->CreateCipherStream(fname, options, prefix, stream));
}

IOStatus EncryptedFileSystemImpl::OpenStream(
    const std::string& fname, const FileOptions& options, IODebugContext* dbg,
    std::unique_ptr<BlockAccessCipherStream>* stream) const {
  FileOptions plain = options;
  plain.use_direct_reads = false;
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus s = target()->NewRandomAccessFile(fname, plain, &file, dbg);
  if (!s.ok()) return s;
  std::string bytes(PrefixLength(), '\0');
  Slice prefix;
  s = file->Read(0, bytes.size(), options.io_options, &prefix, bytes.data(),
                 dbg);
  return s.ok() ? MakeStream(fname, options, prefix, stream) : s;
}

IOStatus EncryptedFileSystemImpl::BeginFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSWritableFile> file,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) const {
  const size_t length = PrefixLength();
  const bool is_direct = file->use_direct_io();
  const size_t alignment = file->GetRequiredBufferAlignment();
  IOStatus s = CheckAlignment(fname, is_direct, alignment);
  if (!s.ok()) return s;
  AlignedBytes bytes(length, alignment);
  s = status_to_io_status(
      provider_->CreateNewPrefix(fname, bytes.data(), length));
  const Slice prefix(bytes.data(), length);
  if (s.ok() && length > 0) {
    s = is_direct ? file->PositionedAppend(prefix, 0, options.io_options, dbg)
                  : file->Append(prefix, options.io_options, dbg);
  }
  std::unique_ptr<BlockAccessCipherStream> stream;
  if (s.ok()) s = MakeStream(fname, options, prefix, &stream);
  if (!s.ok()) return s;
  *result = std::make_unique<EncryptedWritableFile>(std::move(file),
                                                    std::move(stream), length);
  return s;
}

IOStatus EncryptedFileSystemImpl::NewSequentialFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSSequentialFile> file;
  s = target()->NewSequentialFile(fname, options, &file, dbg);
  if (!s.ok()) return s;
  s = CheckAlignment(fname, file->use_direct_io(),
                     file->GetRequiredBufferAlignment());
  if (!s.ok()) return s;
  const size_t length = PrefixLength();
  std::string prefix;
  s = ReadPrefix(file.get(), length, options.io_options, &prefix, dbg);
  if (!s.ok()) return s;
  if (prefix.size() < length) {
    *result = std::make_unique<LateSequentialFile>(
        std::move(file), std::move(prefix), length,
        [provider = provider_, fname, options](
            Slice late, std::unique_ptr<BlockAccessCipherStream>* stream) {
          return status_to_io_status(
              provider->CreateCipherStream(fname, options, late, stream));
        });
    return s;
  }
  std::unique_ptr<BlockAccessCipherStream> stream;
  s = MakeStream(fname, options, prefix, &stream);
  if (!s.ok()) return s;
  *result = std::make_unique<EncryptedSequentialFile>(
      std::move(file), std::move(stream), length);
  return s;
}

IOStatus EncryptedFileSystemImpl::NewRandomAccessFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSRandomAccessFile> file;
  s = target()->NewRandomAccessFile(fname, options, &file, dbg);
  if (!s.ok()) return s;
  const size_t alignment = file->GetRequiredBufferAlignment();
  s = CheckAlignment(fname, file->use_direct_io(), alignment);
  if (!s.ok()) return s;
  const size_t length = PrefixLength();
  AlignedBytes bytes(length, alignment);
  Slice prefix;
  s = file->Read(0, length, options.io_options, &prefix, bytes.data(), dbg);
  // An empty file has no prefix, and no bytes that want a stream.
  std::unique_ptr<BlockAccessCipherStream> stream;
  if (s.ok() && !(prefix.empty() && length > 0)) {
    s = MakeStream(fname, options, prefix, &stream);
  }
  if (!s.ok()) return s;
  *result = std::make_unique<EncryptedRandomAccessFile>(
      std::move(file), std::move(stream), length);
  return s;
}

IOStatus EncryptedFileSystemImpl::NewWritableFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = target()->NewWritableFile(fname, options, &file, dbg);
  if (!s.ok()) return s;
  return BeginFile(fname, options, std::move(file), result, dbg);
}

IOStatus EncryptedFileSystemImpl::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& options, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = target()->ReuseWritableFile(fname, old_fname, options, &file, dbg);
  if (!s.ok()) return s;
  return BeginFile(fname, options, std::move(file), result, dbg);
}

IOStatus EncryptedFileSystemImpl::ReopenWritableFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = target()->ReopenWritableFile(fname, options, &file, dbg);
  if (!s.ok()) return s;
  const size_t length = PrefixLength();
  const uint64_t size = file->GetFileSize(options.io_options, dbg);
  if (size == 0) {
    return BeginFile(fname, options, std::move(file), result, dbg);
  }
  if (size < length) {
    return IOStatus::Corruption(
        fname, "has " + std::to_string(size) +
                   " bytes, which is less than an encrypted file's prefix of " +
                   std::to_string(length));
  }
  s = CheckAlignment(fname, file->use_direct_io(),
                     file->GetRequiredBufferAlignment());
  std::unique_ptr<BlockAccessCipherStream> stream;
  if (s.ok()) s = OpenStream(fname, options, dbg, &stream);
  if (!s.ok()) return s;
  *result = std::make_unique<EncryptedWritableFile>(std::move(file),
                                                    std::move(stream), length);
  return s;
}

IOStatus EncryptedFileSystemImpl::NewRandomRWFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSRandomRWFile>* result, IODebugContext* dbg) {
  IOStatus s = CheckOpen(fname, options);
  if (!s.ok()) return s;
  std::unique_ptr<FSRandomRWFile> file;
  s = target()->NewRandomRWFile(fname, options, &file, dbg);
  if (!s.ok()) return s;
  s = CheckAlignment(fname, file->use_direct_io(),
                     file->GetRequiredBufferAlignment());
  uint64_t size = 0;
  if (s.ok()) {
    s = target()->GetFileSize(fname, options.io_options, &size, dbg);
  }
  std::unique_ptr<BlockAccessCipherStream> stream;
  if (s.ok() && size == 0) {
    AlignedBytes bytes(PrefixLength(), file->GetRequiredBufferAlignment());
    s = status_to_io_status(
        provider_->CreateNewPrefix(fname, bytes.data(), PrefixLength()));
    const Slice prefix(bytes.data(), PrefixLength());
    if (s.ok()) s = file->Write(0, prefix, options.io_options, dbg);
    if (s.ok()) s = MakeStream(fname, options, prefix, &stream);
  } else if (s.ok()) {
    s = OpenStream(fname, options, dbg, &stream);
  }
  if (!s.ok()) return s;
  *result = std::make_unique<EncryptedRandomRWFile>(
      std::move(file), std::move(stream), PrefixLength());
  return s;
}

IOStatus EncryptedFileSystemImpl::NewMemoryMappedFileBuffer(
    const std::string& fname,
    std::unique_ptr<MemoryMappedFileBuffer>* /*result*/) {
  return IOStatus::NotSupported("an encrypted file cannot be memory-mapped",
                                fname);
}

// --- Sizes -------------------------------------------------------------------

IOStatus EncryptedFileSystemImpl::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* result, IODebugContext* dbg) {
  IOStatus s = target()->GetChildrenFileAttributes(dir, options, result, dbg);
  if (!s.ok()) return s;
  for (FileAttributes& file : *result) {
    file.size_bytes -= std::min<uint64_t>(file.size_bytes, PrefixLength());
  }
  return s;
}

IOStatus EncryptedFileSystemImpl::GetFileSize(const std::string& fname,
                                              const IOOptions& options,
                                              uint64_t* file_size,
                                              IODebugContext* dbg) {
  uint64_t size = 0;
  IOStatus s = target()->GetFileSize(fname, options, &size, dbg);
  if (s.ok()) *file_size = size - std::min<uint64_t>(size, PrefixLength());
  return s;
}

IOStatus EncryptedFileSystemImpl::Truncate(const std::string& fname,
                                           size_t size,
                                           const IOOptions& options,
                                           IODebugContext* dbg) {
  uint64_t present = 0;
  IOStatus s = target()->GetFileSize(fname, options, &present, dbg);
  if (!s.ok()) return s;
  if (present < PrefixLength()) {
    if (size == 0) return s;
    return IOStatus::NotSupported("to make an empty encrypted file longer",
                                  fname);
  }
  return target()->Truncate(fname, size + PrefixLength(), options, dbg);
}

// --- What makes them ---------------------------------------------------------

std::shared_ptr<FileSystem> NewEncryptedFS(
    const std::shared_ptr<FileSystem>& base_fs,
    const std::shared_ptr<EncryptionProvider>& provider) {
  auto made = std::make_shared<EncryptedFileSystemImpl>(base_fs, provider);
  if (!made->PrepareOptions(ConfigOptions()).ok()) return nullptr;
  return made;
}

namespace {

class EncryptedEnv final : public CompositeEnvWrapper {
 public:
  using CompositeEnvWrapper::CompositeEnvWrapper;
  const char* Name() const override { return "EncryptedEnv"; }
};

}  // namespace

Env* NewEncryptedEnv(Env* base_env,
                     const std::shared_ptr<EncryptionProvider>& provider) {
  INVARIANT(base_env != nullptr);
  std::shared_ptr<FileSystem> files =
      NewEncryptedFS(base_env->GetFileSystem(), provider);
  if (files == nullptr) return nullptr;
  return std::make_unique<EncryptedEnv>(base_env, files).release();
}

}  // namespace ROCKSDB_NAMESPACE
