// Files that are encrypted on their way to the file system, and decrypted on
// the way back.
//
//   std::shared_ptr<EncryptionProvider> provider;
//   Status s = EncryptionProvider::CreateFromString(
//       ConfigOptions(), "{id=CTR;cipher=my.Cipher}", &provider);
//   options.env = NewEncryptedEnv(Env::Default(), provider);
//
// A file begins with a prefix that its provider makes, such as the counter from
// which it counts; sizes and offsets that the engine sees are without it. What
// an application brings is a BlockCipher, or a provider with keys of its own.
//
// Not encrypted  LOG, which may show keys and paths, the LOCK file, and names.
// Not possible   Memory-mapped files: a database that asks for them does not
//                open (InvalidArgument).
// Not detected   Changes that somebody makes to an encrypted file, beyond what
//                the checksums of its format see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class EncryptionProvider;

// An Env with the files of `base_env`, encrypted. `base_env` must outlive it;
// the caller owns the result. nullptr where the provider is incomplete.
Env* NewEncryptedEnv(Env* base_env,
                     const std::shared_ptr<EncryptionProvider>& provider);

// The same for file systems.
std::shared_ptr<FileSystem> NewEncryptedFS(
    const std::shared_ptr<FileSystem>& base_fs,
    const std::shared_ptr<EncryptionProvider>& provider);

// Encrypts and decrypts the bytes of one file, in place and anywhere in it.
//
// Threads  Several at once.
class BlockAccessCipherStream {
 public:
  virtual ~BlockAccessCipherStream() {}

  // Bytes that are encrypted as one.
  virtual size_t BlockSize() = 0;

  // `fileOffset` counts from the beginning of the file, its prefix included.
  // By default both go block by block, and partial blocks through a copy.
  virtual Status Encrypt(uint64_t fileOffset, char* data, size_t dataSize);
  virtual Status Decrypt(uint64_t fileOffset, char* data, size_t dataSize);

 protected:
  // Makes room that is given to the next two calls.
  virtual void AllocateScratch(std::string&) = 0;
  // Whole blocks.
  virtual Status EncryptBlock(uint64_t blockIndex, char* data,
                              char* scratch) = 0;
  virtual Status DecryptBlock(uint64_t blockIndex, char* data,
                              char* scratch) = 0;
};

// A block cipher with its key.
//
// Threads  Several at once.
class BlockCipher : public Customizable {
 public:
  virtual ~BlockCipher() {}

  // "ROT13", "ROT13:<block size>", or what is registered by the name. Unknown
  // names are NotSupported, or, where the options say so, OK and no cipher.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<BlockCipher>* result);
  static const char* Type() { return "BlockCipher"; }

  // Adds 13 to each byte: for tests, since it hides nothing from anybody.
  static std::shared_ptr<BlockCipher> NewROT13Cipher(size_t block_size);

  virtual size_t BlockSize() = 0;
  // One block, in place.
  virtual Status Encrypt(char* data) = 0;
  virtual Status Decrypt(char* data) = 0;
};

// What encrypts the files of a file system: it makes prefixes, and a cipher
// stream for each file.
//
// Threads  Several at once.
class EncryptionProvider : public Customizable {
 public:
  virtual ~EncryptionProvider() {}

  // "CTR", which wants a cipher ("{id=CTR;cipher=...}"), "CTR://test" or
  // "1://test", which has ROT13 with blocks of 32 bytes, or what is registered
  // by the name. NotFound: an object was made, but a part is missing.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<EncryptionProvider>* result);
  static const char* Type() { return "EncryptionProvider"; }

  // Counter mode: each block of the file is combined by exclusive or with the
  // encrypted count of it. Counter and start value of each file are random.
  static std::shared_ptr<EncryptionProvider> NewCTRProvider(
      const std::shared_ptr<BlockCipher>& cipher);

  // Bytes of the prefix of each file. Files are opened for direct I/O only
  // where it is a multiple of their alignment.
  virtual size_t GetPrefixLength() const = 0;

  // Fills the prefix of the new file `fname`.
  virtual Status CreateNewPrefix(const std::string& fname, char* prefix,
                                 size_t prefixLength) const = 0;

  // Gives the provider a key; `descriptor` is its name, in terms of the
  // provider. With `for_write` new files use it.
  virtual Status AddCipher(const std::string& descriptor, const char* cipher,
                           size_t len, bool for_write) = 0;

  // The stream of a file whose prefix was read. The provider may change
  // `prefix`, which has the length of the prefix.
  virtual Status CreateCipherStream(
      const std::string& fname, const EnvOptions& options, Slice& prefix,
      std::unique_ptr<BlockAccessCipherStream>* result) = 0;

  // Bytes with which its prefixes begin, if they do.
  virtual std::string GetMarker() const { return ""; }
};

// The files. Each owns the file below and its stream.

class EncryptedSequentialFile : public FSSequentialFile {
 public:
  // `f` stands behind its prefix.
  EncryptedSequentialFile(std::unique_ptr<FSSequentialFile>&& f,
                          std::unique_ptr<BlockAccessCipherStream>&& s,
                          size_t prefixLength)
      : file_(std::move(f)),
        stream_(std::move(s)),
        offset_(prefixLength),
        prefixLength_(prefixLength) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override;
  IOStatus Skip(uint64_t n) override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override;
  Temperature GetTemperature() const override;

 protected:
  std::unique_ptr<FSSequentialFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  // The position of the next byte that Read() takes, prefix included.
  uint64_t offset_;
  const size_t prefixLength_;
};

class EncryptedRandomAccessFile : public FSRandomAccessFile {
 public:
  EncryptedRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& f,
                            std::unique_ptr<BlockAccessCipherStream>&& s,
                            size_t prefixLength)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefixLength) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  void Hint(AccessPattern pattern) override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus GetFileSize(uint64_t* result) override;
  Temperature GetTemperature() const override;

 protected:
  std::unique_ptr<FSRandomAccessFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

class EncryptedWritableFile : public FSWritableFile {
 public:
  // The prefix is written already.
  EncryptedWritableFile(std::unique_ptr<FSWritableFile>&& f,
                        std::unique_ptr<BlockAccessCipherStream>&& s,
                        size_t prefixLength)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefixLength) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override;
  bool IsSyncThreadSafe() const override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override;
  void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                    IODebugContext* dbg) override;
  void SetPreallocationBlockSize(size_t size) override;
  void GetPreallocationStatus(size_t* block_size,
                              size_t* last_allocated_block) override;
  IOStatus Allocate(uint64_t offset, uint64_t len, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override;
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override;
  void SetIOPriority(Env::IOPriority pri) override;
  Env::IOPriority GetIOPriority() override;
  size_t GetUniqueId(char* id, size_t max_size) const override;

 protected:
  std::unique_ptr<FSWritableFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

class EncryptedRandomRWFile : public FSRandomRWFile {
 public:
  EncryptedRandomRWFile(std::unique_ptr<FSRandomRWFile>&& f,
                        std::unique_ptr<BlockAccessCipherStream>&& s,
                        size_t prefixLength)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefixLength) {}

  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override;
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  Temperature GetTemperature() const override;

 protected:
  std::unique_ptr<FSRandomRWFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

// The file system that NewEncryptedFS() makes, and by its name text too:
// "{id=EncryptedFileSystem;provider=...;target=...}".
class EncryptedFileSystem : public FileSystemWrapper {
 public:
  explicit EncryptedFileSystem(const std::shared_ptr<FileSystem>& base)
      : FileSystemWrapper(base) {}

  // Adds a key to the provider: see there.
  virtual Status AddCipher(const std::string& descriptor, const char* cipher,
                           size_t len, bool for_write) = 0;

  static const char* kClassName() { return "EncryptedFileSystem"; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == kClassName() || FileSystemWrapper::IsInstanceOf(name);
  }
};

}  // namespace ROCKSDB_NAMESPACE
