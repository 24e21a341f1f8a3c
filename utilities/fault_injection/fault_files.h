// The files that a FaultInjectionFileSystem hands out: each call is counted
// and may fail before it reaches the file of the base.
//
// Threads    As the file of the base.
// Ownership  Each owns the file of the base, shares the crash model, and
//            borrows the file system.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/file_system.h"
#include "utilities/fault_injection/fault_file_state.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

// What every such file knows. Counts itself as an open handle.
class FaultHandle {
 public:
  FaultHandle(FaultInjectionFileSystem* fs, const std::string& path,
              FileKind kind, bool is_direct_read);
  ~FaultHandle();
  FaultHandle(const FaultHandle&) = delete;
  FaultHandle& operator=(const FaultHandle&) = delete;

  const std::string& path() const { return path_; }
  FaultInjectionFileSystem* fs() const { return fs_; }
  bool is_direct_read() const { return is_direct_read_; }

  using Verdict = FaultInjectionFileSystem::Verdict;
  Verdict JudgeRead(const char* name, IOStatus* status) const;
  Verdict JudgeWrite(const char* name, IOStatus* status) const;
  IOStatus CheckMutation(const char* name) const;
  // Like CheckMutation(), for a call that is a sync.
  IOStatus CheckSync(const char* name) const;
  // OK, or the error of a file that was opened before a crash.
  IOStatus CheckAlive() const;

 private:
  FaultInjectionFileSystem* const fs_;
  const std::string path_;
  const FileKind kind_;
  const bool is_direct_read_;
  const uint64_t generation_;
};

std::unique_ptr<FSSequentialFile> NewFaultSequentialFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSSequentialFile>&& file);
std::unique_ptr<FSRandomAccessFile> NewFaultRandomAccessFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSRandomAccessFile>&& file);
// How appends to a file are made: by calls, or by stores into its mapped end
// where they are small.
enum class Appending { kByCall, kMapped };
std::unique_ptr<FSWritableFile> NewFaultWritableFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSWritableFile>&& file,
    const std::shared_ptr<FaultFileState>& state,
    Appending appending = Appending::kByCall);
std::unique_ptr<FSRandomRWFile> NewFaultRandomRWFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSRandomRWFile>&& file,
    const std::shared_ptr<FaultFileState>& state);
std::unique_ptr<FSDirectory> NewFaultDirectory(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSDirectory>&& directory);

// Bytes [offset, offset + n) of the file at `path`; shorter at its end.
IOStatus ReadRange(FileSystem* fs, const std::string& path, uint64_t offset,
                   size_t n, std::string* bytes);

}  // namespace ROCKSDB_NAMESPACE
