// The file system behind NewEncryptedFS().
//
// Threads    As FileSystem.
// Ownership  Shares the file system below and the provider.
// Errors     Of both; InvalidArgument for files that are to be memory-mapped,
//            or direct with an alignment that the prefix does not have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/file_holders.h"
#include "rocksdb/env_encryption.h"

namespace ROCKSDB_NAMESPACE {

class EncryptedFileSystemImpl final : public EncryptedFileSystem,
                                      public FileHolders {
 public:
  explicit EncryptedFileSystemImpl(
      const std::shared_ptr<FileSystem>& base = nullptr,
      const std::shared_ptr<EncryptionProvider>& provider = nullptr)
      : EncryptedFileSystem(base), provider_(provider) {}
  const char* Name() const override { return kClassName(); }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;
  Status PrepareOptions(const ConfigOptions& config) override;

  Status AddCipher(const std::string& descriptor, const char* cipher,
                   size_t len, bool for_write) override {
    return provider_->AddCipher(descriptor, cipher, len, for_write);
  }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override;
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override;

  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* result,
                                     IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& fname, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override;

  void SanitizeFileOptions(FileOptions* options) const override;
  FileOptions OptimizeForLogWrite(const FileOptions& file_options,
                                  const DBOptions& db_options) const override;
  void SupportedOps(int64_t& supported_ops) override;
  bool IsClosedEverywhere(const std::string& path) const override;

 private:
  size_t PrefixLength() const { return provider_->GetPrefixLength(); }
  IOStatus CheckOpen(const std::string& fname,
                     const FileOptions& options) const;
  IOStatus CheckAlignment(const std::string& fname, bool is_direct,
                          size_t alignment) const;
  // Makes the cipher stream of a file that begins with `prefix`.
  IOStatus MakeStream(const std::string& fname, const FileOptions& options,
                      Slice prefix,
                      std::unique_ptr<BlockAccessCipherStream>* stream) const;
  // Reads the prefix of a file that has one.
  IOStatus OpenStream(const std::string& fname, const FileOptions& options,
                      IODebugContext* dbg,
                      std::unique_ptr<BlockAccessCipherStream>* stream) const;
  // Puts a new prefix at the start of the file.
  IOStatus BeginFile(const std::string& fname, const FileOptions& options,
                     std::unique_ptr<FSWritableFile> file,
                     std::unique_ptr<FSWritableFile>* result,
                     IODebugContext* dbg) const;

  std::shared_ptr<EncryptionProvider> provider_;
};

}  // namespace ROCKSDB_NAMESPACE
