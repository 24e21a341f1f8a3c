#include "rocksdb/env.h"

#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "env/legacy_file_system.h"
#include "options/db_options.h"
#include "options/object_kinds.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

// These are the values for a database with default options.
EnvOptions::EnvOptions()
    : use_mmap_writes(false), compaction_readahead_size(2 << 20) {}

EnvOptions::EnvOptions(const DBOptions& options)
    : use_mmap_reads(options.allow_mmap_reads),
      use_mmap_writes(options.allow_mmap_writes),
      use_direct_reads(options.use_direct_reads),
      allow_fallocate(options.allow_fallocate),
      set_fd_cloexec(options.is_fd_close_on_exec),
      bytes_per_sync(options.bytes_per_sync),
      strict_bytes_per_sync(options.strict_bytes_per_sync),
      compaction_readahead_size(options.compaction_readahead_size),
      writable_file_max_buffer_size(options.writable_file_max_buffer_size),
      rate_limiter(options.rate_limiter.get()) {}

Env::Env()
    : file_system_(NewLegacyFileSystem(this)),
      system_clock_(NewLegacyClock(this)) {}

Env::Env(const std::shared_ptr<FileSystem>& fs)
    : file_system_(fs), system_clock_(NewLegacyClock(this)) {}

Env::Env(const std::shared_ptr<FileSystem>& fs,
         const std::shared_ptr<SystemClock>& clock)
    : file_system_(fs), system_clock_(clock) {}

Env::~Env() = default;

const std::shared_ptr<FileSystem>& Env::GetFileSystem() const {
  return file_system_;
}

const std::shared_ptr<SystemClock>& Env::GetSystemClock() const {
  return system_clock_;
}

Status Env::CreateFromString(const ConfigOptions& config_options,
                             const std::string& value, Env** result) {
  if (value.empty() || Env::Default()->IsInstanceOf(value)) {
    *result = Env::Default();
    return Status::OK();
  }
  return MakeStaticFromText(config_options, value, result);
}

Status Env::CreateFromString(const ConfigOptions& config_options,
                             const std::string& value, Env** result,
                             std::shared_ptr<Env>* guard) {
  if (value.empty() || Env::Default()->IsInstanceOf(value)) {
    *result = Env::Default();
    guard->reset();
    return Status::OK();
  }
  ObjectText parts;
  if (Status s = SplitObjectText(value, &parts); !s.ok()) return s;
  Env* made = nullptr;
  std::unique_ptr<Env> owner;
  Status s = RegistryOf(config_options).NewObject(parts.id, &made, &owner);
  if (s.ok()) s = ConfigureObject(config_options, parts, made);
  if (!s.ok()) return s;
  *result = made;
  *guard = std::move(owner);
  return s;
}

Status Env::CreateFromUri(const ConfigOptions& config_options,
                          const std::string& env_uri, const std::string& fs_uri,
                          Env** result, std::shared_ptr<Env>* guard) {
  if (!env_uri.empty() && !fs_uri.empty()) {
    return Status::InvalidArgument("cannot specify both fs_uri and env_uri",
                                   env_uri + " and " + fs_uri);
  }
  if (fs_uri.empty()) {
    return CreateFromString(config_options, env_uri, result, guard);
  }
  std::shared_ptr<FileSystem> fs;
  Status status = FileSystem::CreateFromString(config_options, fs_uri, &fs);
  if (status.ok()) {
    *guard = NewCompositeEnv(fs);
    *result = guard->get();
  }
  return status;
}

Status Env::ReuseWritableFile(const std::string& fname,
                              const std::string& old_fname,
                              std::unique_ptr<WritableFile>* result,
                              const EnvOptions& options) {
  if (Status s = RenameFile(old_fname, fname); !s.ok()) return s;
  return NewWritableFile(fname, result, options);
}

Status Env::GetChildrenFileAttributes(const std::string& dir,
                                      std::vector<FileAttributes>* result) {
  std::vector<std::string> names;
  if (Status s = GetChildren(dir, &names); !s.ok()) return s;
  std::vector<FileAttributes> attributes;
  for (const std::string& name : names) {
    uint64_t size = 0;
    const std::string path = dir + "/" + name;
    Status status = GetFileSize(path, &size);
    if (status.ok()) {
      attributes.push_back({name, size});
    } else if (!FileExists(path).IsNotFound()) {
      return status;
    }
  }
  *result = std::move(attributes);
  return Status::OK();
}

Status Env::NewLogger(const std::string& fname,
                      std::shared_ptr<Logger>* result) {
  return NewEnvLogger(fname, this, result);
}

std::string Env::PriorityToString(Priority priority) {
  switch (priority) {
    case BOTTOM:
      return "Bottom";
    case LOW:
      return "Low";
    case HIGH:
      return "High";
    case USER:
      return "User";
    case TOTAL:
      break;
  }
  return "Invalid";
}

std::string Env::IOActivityToString(IOActivity activity) {
  static constexpr const char* kNames[] = {
      "Flush",
      "Compaction",
      "DBOpen",
      "Get",
      "MultiGet",
      "DBIterator",
      "VerifyDBChecksum",
      "VerifyFileChecksums",
      "GetEntity",
      "MultiGetEntity",
      "GetFileChecksumsFromCurrentManifest",
      "LazyResolve"};
  const auto value = static_cast<size_t>(activity);
  if (value < std::size(kNames)) return kNames[value];
  if (activity >= IOActivity::kFirstCustomIOActivity &&
      activity <= IOActivity::kLastCustomIOActivity) {
    return StringPrintf("CustomIOActivity%02zX", value);
  }
  return "Unknown";
}

uint64_t Env::GetThreadID() const {
  return std::hash<std::thread::id>()(std::this_thread::get_id());
}

Status Env::GetHostNameString(std::string* result) {
  char name[256] = {};
  Status status = GetHostName(name, sizeof(name) - 1);
  if (status.ok()) *result = name;
  return status;
}

std::string Env::GenerateUniqueId() {
  std::random_device device;
  uint32_t words[4];
  for (uint32_t& word : words) word = device();
  // RFC 4122: version 4 in the third group, variant 10 in the fourth.
  words[1] = (words[1] & 0xffff0fff) | 0x00004000;
  words[2] = (words[2] & 0x3fffffff) | 0x80000000;
  return StringPrintf("%08x-%04x-%04x-%04x-%04x%08x", words[0], words[1] >> 16,
                      words[1] & 0xffff, words[2] >> 16, words[2] & 0xffff,
                      words[3]);
}

EnvOptions Env::OptimizeForLogRead(const EnvOptions& env_options) const {
  EnvOptions result = env_options;
  result.use_direct_reads = false;
  result.use_uncached_io = false;
  return result;
}

EnvOptions Env::OptimizeForManifestRead(const EnvOptions& env_options) const {
  return OptimizeForLogRead(env_options);
}

EnvOptions Env::OptimizeForLogWrite(const EnvOptions& env_options,
                                    const DBOptions& db_options) const {
  EnvOptions result = env_options;
  result.use_direct_writes = false;
  result.use_uncached_io = false;
  result.use_mmap_writes = false;
  result.bytes_per_sync = db_options.wal_bytes_per_sync;
  result.writable_file_max_buffer_size =
      db_options.writable_file_max_buffer_size;
  return result;
}

EnvOptions Env::OptimizeForManifestWrite(const EnvOptions& env_options) const {
  EnvOptions result = env_options;
  result.use_direct_writes = false;
  result.use_uncached_io = false;
  result.use_mmap_writes = false;
  return result;
}

EnvOptions Env::OptimizeForCompactionTableWrite(
    const EnvOptions& env_options, const ImmutableDBOptions& db_options) const {
  EnvOptions result = env_options;
  result.use_direct_writes =
      db_options.asked_access().write == FileAccess::kDirect;
  result.use_uncached_io =
      db_options.asked_access().write == FileAccess::kUncached;
  return result;
}

EnvOptions Env::OptimizeForCompactionTableRead(
    const EnvOptions& env_options, const ImmutableDBOptions& db_options) const {
  EnvOptions result = env_options;
  result.use_direct_reads =
      db_options.asked_access().read == FileAccess::kDirect;
  result.use_uncached_io =
      db_options.asked_access().read == FileAccess::kUncached;
  return result;
}

EnvOptions Env::OptimizeForBlobFileRead(
    const EnvOptions& env_options, const ImmutableDBOptions& db_options) const {
  EnvOptions result = env_options;
  result.use_direct_reads = db_options.use_direct_reads;
  return result;
}

Status RandomAccessFile::MultiRead(ReadRequest* reqs, size_t num_reqs) {
  for (size_t i = 0; i < num_reqs; ++i) {
    ReadRequest& req = reqs[i];
    req.status = Read(req.offset, req.len, &req.result, req.scratch);
  }
  return Status::OK();
}

void WritableFile::PrepareWrite(size_t offset, size_t len) {
  if (preallocation_block_size_ == 0) return;
  const size_t block = preallocation_block_size_;
  const size_t wanted_block = (offset + len + block - 1) / block;
  if (wanted_block <= last_preallocated_block_) return;
  const size_t missing = wanted_block - last_preallocated_block_;
  IgnoreError(Allocate(block * last_preallocated_block_, block * missing),
              "a write that then fails tells the same and more");
  last_preallocated_block_ = wanted_block;
}

MemoryMappedFileBuffer::~MemoryMappedFileBuffer() = default;
FileLock::~FileLock() = default;
EnvWrapper::~EnvWrapper() = default;

namespace {

Status WriteAndClose(WritableFile* file, const Slice& data, bool should_sync) {
  Status status = file->Append(data);
  if (status.ok() && should_sync) status = file->Sync();
  if (status.ok()) status = file->Close();
  return status;
}

}  // namespace

Status Env::SyncFile(const std::string& fname, const EnvOptions& env_options,
                     bool use_fsync) {
  std::unique_ptr<WritableFile> file;
  Status s = ReopenWritableFile(fname, &file, env_options);
  if (!s.ok()) return s;
  s = use_fsync ? file->Fsync() : file->Sync();
  const Status closed = file->Close();
  return s.ok() ? closed : s;
}

Status EnvWrapper::ConfigureOption(const ConfigOptions& config_options,
                                   const std::string& name,
                                   const std::string& value) {
  if (name != "target") {
    return Env::ConfigureOption(config_options, name, value);
  }
  return Env::CreateFromString(config_options, value, &target_.env,
                               &target_.guard);
}

Status EnvWrapper::GetOptionString(const ConfigOptions& config_options,
                                   std::string* result) const {
  result->clear();
  if (target_.env != nullptr && target_.env != Env::Default()) {
    *result = "target=" + PrintObject(config_options, target_.env) + ";";
  }
  return Status::OK();
}

Status EnvWrapper::PrepareOptions(const ConfigOptions& config_options) {
  target_.Prepare();
  return Env::PrepareOptions(config_options);
}

std::string EnvWrapper::SerializeOptions(const ConfigOptions& config_options,
                                         const std::string& header) const {
  return Env::SerializeOptions(config_options, header);
}

ThreadStatusUpdater* CreateThreadStatusUpdater() { return nullptr; }

Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname,
                         bool should_sync, const IOOptions* io_options) {
  if (io_options != nullptr) {
    return WriteStringToFile(env->GetFileSystem().get(), data, fname,
                             should_sync, *io_options);
  }
  std::unique_ptr<WritableFile> file;
  Status status = env->NewWritableFile(fname, &file, EnvOptions());
  if (!status.ok()) return status;
  status = WriteAndClose(file.get(), data, should_sync);
  if (!status.ok()) {
    IgnoreError(env->DeleteFile(fname), "the first error is what matters");
  }
  return status;
}

Status ReadFileToString(Env* env, const std::string& fname, std::string* data) {
  return ReadFileToString(env->GetFileSystem().get(), fname, data);
}

}  // namespace ROCKSDB_NAMESPACE
