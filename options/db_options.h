// The database's options as the running engine reads them.
//
// ImmutableDBOptions holds what cannot change while the database is open (and
// the starting values of what can: read those from MutableDBOptions).
//
// Threads    Immutable after construction; MutableDBOptions is published as a
//            shared_ptr<const MutableDBOptions> and replaced, never changed.
// Ownership  The plain pointers borrow from the shared_ptr and Env beside them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BlockCacheTracer;
class FileSystem;
class SystemClock;

struct MutableDBOptions;

// What the log says of transactions, by TransactionDBOptions::write_policy.
enum class SectionPolicy : uint8_t {
  kWriteCommitted,
  kWritePrepared,
  kWriteUnprepared,
};

struct ImmutableDBOptions : public DBOptions {
  // `options` are sanitised (options/sanitize.h).
  explicit ImmutableDBOptions(const DBOptions& options);
  // All as it is now, for those whom a FileSystem asks by this type.
  explicit ImmutableDBOptions(const MutableDBOptions& now);

  // How bulk work reads table files, and how flushes and compactions write
  // them, where this was made of a MutableDBOptions: see there.
  FileAccess read_access;
  FileAccess write_access;
  SectionPolicy section_policy = SectionPolicy::kWriteCommitted;

  FileSystem* fs;
  SystemClock* clock;
  Logger* logger;                            // may be null
  Statistics* stats;                         // may be null
  BlockCacheTracer* block_tracer = nullptr;  // null: nobody ever traces
};

struct MutableDBOptions : public DBOptions {
  explicit MutableDBOptions(const DBOptions& options);

  // How bulk work reads table files, and how flushes and compactions write
  // them: never kDefault or kAuto. Where those ask the file system, kUncached
  // until the database has done so. A job keeps to what it began with. Instead
  // of the options that they come from, these are what the engine reads.
  FileAccess read_access;
  FileAccess write_access;
};

// `current` with the named options set, and the names of those whose value
// has changed. InvalidArgument, with nothing changed, for a name that is
// unknown or fixed, or a value that is wrong.
Status ChangeDBOptions(
    const DBOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    DBOptions* result, std::vector<std::string>* changed_names);

}  // namespace ROCKSDB_NAMESPACE
