// Env: the operating system as the engine sees it, in the older interface.
//
// An Env joins three things: files, time and threads. Newer code supplies files
// as a FileSystem (file_system.h) and time as a SystemClock (system_clock.h);
// an Env that overrides the file calls below still drives the whole engine,
// since its GetFileSystem() forwards to them.
//
// Threads    Every Env and Directory is safe for concurrent use. File objects
//            are not, except where a call says so.
// Ownership  Env::Default() lives for ever. Any other Env must outlive the
//            databases that use it.
// Errors     Status; a missing file or directory is NotFound or an IOError with
//            sub-code kPathNotFound, a full disk an IOError with kNoSpace.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/port_defs.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class DynamicLibrary;
class Directory;
class FileLock;
class FileSystem;
class Logger;
class MemoryMappedFileBuffer;
class RandomAccessFile;
class RandomRWFile;
class RateLimiter;
class SequentialFile;
class SystemClock;
class ThreadStatusUpdater;
class WritableFile;
struct ConfigOptions;
struct DBOptions;
struct ImmutableDBOptions;
struct ThreadStatus;

// Alignment that suits direct I/O where a file does not tell its own.
const size_t kDefaultPageSize = 4 * 1024;

// How a file is opened and written. Independent of any one file.
struct EnvOptions {
  EnvOptions();
  // Takes over what `options` says about files.
  explicit EnvOptions(const DBOptions& options);

  // Read through a memory mapping instead of read calls. Default: false.
  bool use_mmap_reads = false;

  // Write through a memory mapping. The constructors set it to what
  // DBOptions::allow_mmap_writes says, which is false by default.
  bool use_mmap_writes = true;

  // Bypass the page cache when reading (O_DIRECT). Default: false.
  bool use_direct_reads = false;

  // Bypass the page cache when writing (O_DIRECT). Default: false.
  bool use_direct_writes = false;

  // Basalt's own. Read and write through the page cache but leave in it only
  // what was there before. Of random access and writable files; ignored where
  // the file is direct or mapped, or the file system has no such cache.
  // Default: false.
  bool use_uncached_io = false;

  // Basalt's own. Append by copying into the mapped end of the file, which
  // costs a tenth of a call; as long as the file is open it is up to 1 MiB
  // longer than its data, by zeros. Of writable files; ignored where the file
  // is direct or uncached, allow_fallocate is false, or the file system is none
  // of ext4, xfs and tmpfs. PosixFileSystem sets it for logs. Default: false.
  bool use_mapped_appends = false;

  // Reserve disk space ahead of writing. Default: true.
  bool allow_fallocate = true;

  // Close descriptors in a child process after exec. Default: true.
  bool set_fd_cloexec = true;

  // Start write-back after this many bytes have been written; 0 leaves it to
  // the kernel. Default: 0.
  uint64_t bytes_per_sync = 0;

  // Wait for the write-back of the last range before starting the next, so
  // that at most bytes_per_sync are outstanding. Default: false.
  bool strict_bytes_per_sync = false;

  // Reserve space without changing the size of the file. Default: true.
  bool fallocate_with_keep_size = true;

  // Bytes of read-ahead for compaction inputs. Default: 2 MiB.
  size_t compaction_readahead_size = 0;

  // Largest write buffer of a file, bytes. Default: 1 MiB.
  size_t writable_file_max_buffer_size = 1024 * 1024;

  // Limits background I/O when set; not owned. Default: null.
  RateLimiter* rate_limiter = nullptr;
};

// Lets the callee of an append check the bytes it is given.
struct DataVerificationInfo {
  // Checksum of the bytes, in the format of handoff_checksum_type.
  Slice checksum;
};

class Env : public Customizable {
 public:
  static const char* kDefaultName() { return "DefaultEnv"; }
  static const char* Type() { return "Environment"; }

  struct FileAttributes {
    // Name inside the directory that was listed.
    std::string name;
    uint64_t size_bytes;
    // Where the file system knows it.
    Temperature temperature = Temperature::kUnknown;
  };

  Env();
  explicit Env(const std::shared_ptr<FileSystem>& fs);
  Env(const std::shared_ptr<FileSystem>& fs,
      const std::shared_ptr<SystemClock>& clock);
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;
  ~Env() override;

  const char* Name() const override { return ""; }

  // The Env named by `value`: empty or "DefaultEnv" gives Default(), another
  // name what is registered by it. The first form is for static ones alone;
  // the second can hand out an Env that `guard` owns. An unknown name is
  // NotSupported.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value, Env** result);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value, Env** result,
                                 std::shared_ptr<Env>* guard);
  // Exactly one of `env_uri` (an Env's name) and `fs_uri` (a FileSystem's
  // name, joined with the default clock and threads) may be given.
  static Status CreateFromUri(const ConfigOptions& config_options,
                              const std::string& env_uri,
                              const std::string& fs_uri, Env** result,
                              std::shared_ptr<Env>* guard);

  // The Env of this operating system. Never destroyed.
  static Env* Default();

  // Tells a file system which directories a database uses, and no longer uses.
  virtual Status RegisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }
  virtual Status UnregisterDbPaths(const std::vector<std::string>& /*paths*/) {
    return Status::OK();
  }

  // ---- Files ----

  // Opens an existing file for reading in order.
  virtual Status NewSequentialFile(const std::string& fname,
                                   std::unique_ptr<SequentialFile>* result,
                                   const EnvOptions& options) = 0;

  // Opens an existing file for reading anywhere, by many threads at once.
  virtual Status NewRandomAccessFile(const std::string& fname,
                                     std::unique_ptr<RandomAccessFile>* result,
                                     const EnvOptions& options) = 0;

  // Creates a file for writing; an existing one of that name is emptied.
  virtual Status NewWritableFile(const std::string& fname,
                                 std::unique_ptr<WritableFile>* result,
                                 const EnvOptions& options) = 0;

  // Opens a file to append to it, creating it where it is missing.
  virtual Status ReopenWritableFile(const std::string& /*fname*/,
                                    std::unique_ptr<WritableFile>* /*result*/,
                                    const EnvOptions& /*options*/) {
    return Status::NotSupported("Env::ReopenWritableFile");
  }

  // Renames `old_fname` to `fname` and opens it for overwriting from the start.
  virtual Status ReuseWritableFile(const std::string& fname,
                                   const std::string& old_fname,
                                   std::unique_ptr<WritableFile>* result,
                                   const EnvOptions& options);

  // Opens an existing file for reading and writing anywhere.
  virtual Status NewRandomRWFile(const std::string& /*fname*/,
                                 std::unique_ptr<RandomRWFile>* /*result*/,
                                 const EnvOptions& /*options*/) {
    return Status::NotSupported("Env::NewRandomRWFile");
  }

  // Maps a whole existing file, shared and writable.
  virtual Status NewMemoryMappedFileBuffer(
      const std::string& /*fname*/,
      std::unique_ptr<MemoryMappedFileBuffer>* /*result*/) {
    return Status::NotSupported("Env::NewMemoryMappedFileBuffer");
  }

  // Opens an existing directory, to sync it.
  virtual Status NewDirectory(const std::string& name,
                              std::unique_ptr<Directory>* result) = 0;

  // OK if it exists, NotFound if not, IOError if that cannot be told.
  virtual Status FileExists(const std::string& fname) = 0;

  // Names in `dir`, without "." and "..", in no order.
  virtual Status GetChildren(const std::string& dir,
                             std::vector<std::string>* result) = 0;

  // The same with sizes. Entries that vanish meanwhile are left out.
  virtual Status GetChildrenFileAttributes(const std::string& dir,
                                           std::vector<FileAttributes>* result);

  virtual Status DeleteFile(const std::string& fname) = 0;

  // Cuts or extends a file to `size` bytes.
  virtual Status Truncate(const std::string& /*fname*/, size_t /*size*/) {
    return Status::NotSupported("Env::Truncate");
  }

  // CreateDir fails if it exists; CreateDirIfMissing does not. DeleteDir wants
  // an empty directory.
  virtual Status CreateDir(const std::string& dirname) = 0;
  virtual Status CreateDirIfMissing(const std::string& dirname) = 0;
  virtual Status DeleteDir(const std::string& dirname) = 0;

  virtual Status GetFileSize(const std::string& fname, uint64_t* file_size) = 0;

  // Seconds since 1970.
  virtual Status GetFileModificationTime(const std::string& fname,
                                         uint64_t* file_mtime) = 0;

  // Replaces an existing target, atomically.
  virtual Status RenameFile(const std::string& src,
                            const std::string& target) = 0;

  virtual Status LinkFile(const std::string& /*src*/,
                          const std::string& /*target*/) {
    return Status::NotSupported("Env::LinkFile");
  }
  // Syncs a closed file by its name.
  virtual Status SyncFile(const std::string& fname,
                          const EnvOptions& env_options, bool use_fsync);
  virtual Status NumFileLinks(const std::string& /*fname*/,
                              uint64_t* /*count*/) {
    return Status::NotSupported("Env::NumFileLinks");
  }
  virtual Status AreFilesSame(const std::string& /*first*/,
                              const std::string& /*second*/, bool* /*res*/) {
    return Status::NotSupported("Env::AreFilesSame");
  }

  // Takes the lock of that name, creating the file. Does not wait: a lock held
  // by this or another process is an IOError. UnlockFile frees `lock`.
  virtual Status LockFile(const std::string& fname, FileLock** lock) = 0;
  virtual Status UnlockFile(FileLock* lock) = 0;

  // A directory that tests may write to.
  virtual Status GetTestDirectory(std::string* path) = 0;

  // A Logger that writes to a new file.
  virtual Status NewLogger(const std::string& fname,
                           std::shared_ptr<Logger>* result);

  virtual Status GetAbsolutePath(const std::string& db_path,
                                 std::string* output_path) = 0;

  // Bytes free for ordinary users where `path` lives.
  virtual Status GetFreeSpace(const std::string& /*path*/,
                              uint64_t* /*diskfree*/) {
    return Status::NotSupported("Env::GetFreeSpace");
  }
  virtual Status IsDirectory(const std::string& /*path*/, bool* /*is_dir*/) {
    return Status::NotSupported("Env::IsDirectory");
  }

  // May others than the owner read new files? Default: yes, as umask says.
  virtual Status SetAllowNonOwnerAccess(bool /*allow_non_owner_access*/) {
    return Status::NotSupported("Env::SetAllowNonOwnerAccess");
  }

  // ---- Enumerations ----

  // Expected life of the data of a file.
  enum WriteLifeTimeHint {
    WLTH_NOT_SET = 0,
    WLTH_NONE,
    WLTH_SHORT,
    WLTH_MEDIUM,
    WLTH_LONG,
    WLTH_EXTREME,
  };

  // Thread pools.
  enum Priority { BOTTOM, LOW, HIGH, USER, TOTAL };
  static std::string PriorityToString(Priority priority);

  // Priorities at the rate limiter. IO_TOTAL: not limited.
  enum IOPriority {
    IO_LOW = 0,
    IO_MID = 1,
    IO_HIGH = 2,
    IO_USER = 3,
    IO_TOTAL = 4
  };

  // What a read or write is done for. Values 0x80 to 0xFE are the user's.
  enum class IOActivity : uint8_t {
    kFlush = 0,
    kCompaction = 1,
    kDBOpen = 2,
    kGet = 3,
    kMultiGet = 4,
    kDBIterator = 5,
    kVerifyDBChecksum = 6,
    kVerifyFileChecksums = 7,
    kGetEntity = 8,
    kMultiGetEntity = 9,
    kGetFileChecksumsFromCurrentManifest = 10,
    kLazyResolve = 11,
    kFirstCustomIOActivity = 0x80,
    kCustomIOActivity80 = 0x80,
    kLastCustomIOActivity = 0xFE,
    kCustomIOActivityFE = 0xFE,
    kUnknown = 0xFF,
  };
  static std::string IOActivityToString(IOActivity activity);

  // ---- Threads ----

  // Runs function(arg) once on a thread of pool `pri`, at some later time.
  // Jobs of one pool start in the order in which they were scheduled.
  virtual void Schedule(void (*function)(void* arg), void* arg,
                        Priority pri = LOW, void* tag = nullptr,
                        void (*unschedFunction)(void* arg) = nullptr) = 0;

  // Removes the waiting jobs of `pri` that carry `tag`, calls their
  // unschedFunction and answers how many there were.
  virtual int UnSchedule(void* /*tag*/, Priority /*pri*/) { return 0; }

  // Starts a thread that runs function(arg).
  virtual void StartThread(void (*function)(void* arg), void* arg) = 0;

  // Waits for all threads of StartThread to end.
  virtual void WaitForJoin() {}

  // Sets idle threads of a pool aside so that they take no job; answers how
  // many. ReleaseThreads gives them back.
  virtual int ReserveThreads(int /*threads_to_be_reserved*/, Priority /*pri*/) {
    return 0;
  }
  virtual int ReleaseThreads(int /*threads_to_be_released*/, Priority /*pri*/) {
    return 0;
  }

  // Jobs that wait in the pool `pri`.
  virtual unsigned int GetThreadPoolQueueLen(Priority /*pri*/ = LOW) const {
    return 0;
  }

  // Sets the size of a pool, up or down; Inc... only raises it. LOW is for
  // compactions, HIGH for flushes. Where BOTTOM has threads (by default it has
  // none), compactions to the last level run there, in addition to those that
  // max_background_jobs allows.
  virtual void SetBackgroundThreads(int number, Priority pri = LOW) = 0;
  virtual int GetBackgroundThreads(Priority pri = LOW) = 0;
  virtual void IncBackgroundThreadsIfNeeded(int number, Priority pri) = 0;

  // Gives the threads of a pool a lower I/O or processor priority.
  virtual void LowerThreadPoolIOPriority(Priority /*pool*/ = LOW) {}
  virtual Status LowerThreadPoolCPUPriority(Priority /*pool*/,
                                            CpuPriority /*pri*/) {
    return Status::NotSupported("Env::LowerThreadPoolCPUPriority");
  }
  virtual void LowerThreadPoolCPUPriority(Priority /*pool*/ = LOW) {}

  virtual Status GetThreadList(std::vector<ThreadStatus>* /*thread_list*/) {
    return Status::NotSupported("Env::GetThreadList");
  }
  // Loads code at run time. No Env of this library does: what is to be added is
  // linked in, and registered by name.
  virtual Status LoadLibrary(const std::string& /*lib_name*/,
                             const std::string& /*search_path*/,
                             std::shared_ptr<DynamicLibrary>* /*result*/) {
    return Status::NotSupported("Env::LoadLibrary");
  }

  virtual ThreadStatusUpdater* GetThreadStatusUpdater() const {
    return thread_status_updater_;
  }

  // A number for the calling thread.
  virtual uint64_t GetThreadID() const;

  // ---- Time and identity ----

  // Microseconds since 1970.
  virtual uint64_t NowMicros() = 0;
  // Nanoseconds since some fixed point, never running backward where the
  // system has such a clock.
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }
  // Processor time of the calling thread; 0 if not known.
  virtual uint64_t NowCPUNanos() { return 0; }
  virtual void SleepForMicroseconds(int micros) = 0;
  // Seconds since 1970.
  virtual Status GetCurrentTime(int64_t* unix_time) = 0;
  virtual std::string TimeToString(uint64_t time) = 0;

  virtual Status GetHostName(char* name, uint64_t len) = 0;
  virtual Status GetHostNameString(std::string* result);

  // A text that no other call on any machine returns (RFC 4122, version 4).
  virtual std::string GenerateUniqueId();

  // ---- Options by use ----

  virtual EnvOptions OptimizeForLogRead(const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForManifestRead(
      const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForLogWrite(const EnvOptions& env_options,
                                         const DBOptions& db_options) const;
  virtual EnvOptions OptimizeForManifestWrite(
      const EnvOptions& env_options) const;
  virtual EnvOptions OptimizeForCompactionTableWrite(
      const EnvOptions& env_options,
      const ImmutableDBOptions& immutable_ops) const;
  virtual EnvOptions OptimizeForCompactionTableRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const;
  virtual EnvOptions OptimizeForBlobFileRead(
      const EnvOptions& env_options,
      const ImmutableDBOptions& db_options) const;

  // Turns off what this Env cannot do.
  virtual void SanitizeEnvOptions(EnvOptions* /*env_opts*/) const {}

  // The parts. For an Env that overrides the calls above these are adapters
  // that call it.
  virtual const std::shared_ptr<FileSystem>& GetFileSystem() const;
  virtual const std::shared_ptr<SystemClock>& GetSystemClock() const;

 protected:
  ThreadStatusUpdater* thread_status_updater_ = nullptr;
  std::shared_ptr<FileSystem> file_system_;
  std::shared_ptr<SystemClock> system_clock_;
};

// A file read from front to back by one thread at a time.
class SequentialFile {
 public:
  SequentialFile() = default;
  virtual ~SequentialFile() = default;

  // Reads up to `n` bytes. `result` may point into `scratch`, which has room
  // for `n`, or into memory of the file. Fewer bytes only at the end.
  virtual Status Read(size_t n, Slice* result, char* scratch) = 0;

  // Passes over `n` bytes; at most to the end.
  virtual Status Skip(uint64_t n) = 0;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  // Drops cached pages of a range; length 0 means to the end.
  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported("SequentialFile::InvalidateCache");
  }

  // Direct files: reads at an aligned offset into an aligned buffer.
  virtual Status PositionedRead(uint64_t /*offset*/, size_t /*n*/,
                                Slice* /*result*/, char* /*scratch*/) {
    return Status::NotSupported("SequentialFile::PositionedRead");
  }
};

// One of the reads of MultiRead.
struct ReadRequest {
  uint64_t offset = 0;
  size_t len = 0;
  // Room for `len` bytes.
  char* scratch = nullptr;
  // Out: the bytes, and how it went.
  Slice result;
  Status status;
};

// A file read anywhere. Safe for use by many threads at once.
class RandomAccessFile {
 public:
  RandomAccessFile() = default;
  virtual ~RandomAccessFile() = default;

  // Reads up to `n` bytes from `offset`; fewer only where the file ends.
  // A file opened for direct I/O wants offset, n and scratch aligned.
  virtual Status Read(uint64_t offset, size_t n, Slice* result,
                      char* scratch) const = 0;

  // Asks for bytes that will be read soon.
  virtual Status Prefetch(uint64_t /*offset*/, size_t /*n*/) {
    return Status::NotSupported("RandomAccessFile::Prefetch");
  }

  // Many reads at once; OK says that every request has its own status.
  virtual Status MultiRead(ReadRequest* reqs, size_t num_reqs);

  // Writes an id of this file into `id`, at most `max_size` bytes, and answers
  // its length. Files that exist at the same time have different ids, none a
  // prefix of another. 0: there is none.
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }

  enum AccessPattern { NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED };
  virtual void Hint(AccessPattern /*pattern*/) {}

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported("RandomAccessFile::InvalidateCache");
  }

  // Size of the open file, without looking up its name.
  virtual Status GetFileSize(uint64_t* /*result*/) {
    return Status::NotSupported("RandomAccessFile::GetFileSize");
  }
};

// A file that grows. One thread at a time.
class WritableFile {
 public:
  WritableFile() = default;
  explicit WritableFile(const EnvOptions& options)
      : strict_bytes_per_sync_(options.strict_bytes_per_sync) {}
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;
  virtual ~WritableFile() = default;

  virtual Status Append(const Slice& data) = 0;
  virtual Status Append(const Slice& data,
                        const DataVerificationInfo& /*verification_info*/) {
    return Append(data);
  }

  // Direct files: writes at an aligned offset, overwriting what is there.
  virtual Status PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/) {
    return Status::NotSupported("WritableFile::PositionedAppend");
  }
  virtual Status PositionedAppend(
      const Slice& /*data*/, uint64_t /*offset*/,
      const DataVerificationInfo& /*verification_info*/) {
    return Status::NotSupported("WritableFile::PositionedAppend");
  }

  // Cuts off the padding of the last direct write.
  virtual Status Truncate(uint64_t /*size*/) { return Status::OK(); }
  virtual Status Close() = 0;
  // To the operating system.
  virtual Status Flush() = 0;
  // To the device: data, and with Fsync all metadata too.
  virtual Status Sync() = 0;
  virtual Status Fsync() { return Sync(); }

  // True if Sync may run while another thread appends.
  virtual bool IsSyncThreadSafe() const { return false; }

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
    write_hint_ = hint;
  }
  virtual Env::WriteLifeTimeHint GetWriteLifeTimeHint() { return write_hint_; }
  virtual void SetIOPriority(Env::IOPriority pri) { io_priority_ = pri; }
  virtual Env::IOPriority GetIOPriority() { return io_priority_; }

  // Bytes written so far.
  virtual uint64_t GetFileSize() { return 0; }

  // Space is reserved in steps of this many bytes; 0: not at all.
  virtual void SetPreallocationBlockSize(size_t size) {
    preallocation_block_size_ = size;
  }
  virtual void GetPreallocationStatus(size_t* block_size,
                                      size_t* last_allocated_block) {
    *last_allocated_block = last_preallocated_block_;
    *block_size = preallocation_block_size_;
  }

  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }

  virtual Status InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return Status::NotSupported("WritableFile::InvalidateCache");
  }

  // Starts write-back of a range. No promise that it is durable.
  virtual Status RangeSync(uint64_t /*offset*/, uint64_t /*nbytes*/) {
    if (strict_bytes_per_sync_) return Sync();
    return Status::OK();
  }

  // To be called before `len` bytes are written at `offset`: reserves space.
  virtual void PrepareWrite(size_t offset, size_t len);

  virtual Status Allocate(uint64_t /*offset*/, uint64_t /*len*/) {
    return Status::OK();
  }

 protected:
  size_t preallocation_block_size() const { return preallocation_block_size_; }

 private:
  size_t last_preallocated_block_ = 0;
  size_t preallocation_block_size_ = 0;

 protected:
  Env::IOPriority io_priority_ = Env::IO_TOTAL;
  Env::WriteLifeTimeHint write_hint_ = Env::WLTH_NOT_SET;
  const bool strict_bytes_per_sync_ = false;
};

// A file read and written anywhere.
class RandomRWFile {
 public:
  RandomRWFile() = default;
  RandomRWFile(const RandomRWFile&) = delete;
  RandomRWFile& operator=(const RandomRWFile&) = delete;
  virtual ~RandomRWFile() = default;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual Status Write(uint64_t offset, const Slice& data) = 0;
  virtual Status Read(uint64_t offset, size_t n, Slice* result,
                      char* scratch) const = 0;
  virtual Status Flush() = 0;
  virtual Status Sync() = 0;
  virtual Status Fsync() { return Sync(); }
  virtual Status Close() = 0;
};

// A whole file in memory; unmapped by the destructor.
class MemoryMappedFileBuffer {
 public:
  MemoryMappedFileBuffer(void* base, size_t length)
      : base_(base), length_(length) {}
  MemoryMappedFileBuffer(const MemoryMappedFileBuffer&) = delete;
  MemoryMappedFileBuffer& operator=(const MemoryMappedFileBuffer&) = delete;
  virtual ~MemoryMappedFileBuffer() = 0;

  size_t GetLen() const { return length_; }
  void* GetBase() const { return base_; }

 protected:
  void* base_;
  const size_t length_;
};

// An open directory.
class Directory {
 public:
  virtual ~Directory() = default;

  // Makes created, renamed and deleted entries durable.
  virtual Status Fsync() = 0;
  virtual Status Close() { return Status::NotSupported("Directory::Close"); }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
};

// A held lock; made by LockFile, freed by UnlockFile.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  virtual ~FileLock();
};

}  // namespace ROCKSDB_NAMESPACE
