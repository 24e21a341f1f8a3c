// The database's options as the running engine reads them.
//
// ImmutableDBOptions has what cannot change while the database is open, and
// MutableDBOptions what SetDBOptions() replaces. Neither has a field of the
// other: both are made of the rows (options/db_rows.def), so that no code can
// go by a value that was in force once.
//
// Threads    Immutable after construction; MutableDBOptions is published as a
//            shared_ptr<const MutableDBOptions> and replaced, never changed.
// Ownership  The plain pointers borrow from the shared_ptr and Env beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class BlockCacheTracer;
class FileSystem;
class SystemClock;

// What the log says of transactions, by TransactionDBOptions::write_policy.
enum class SectionPolicy : uint8_t {
  kWriteCommitted,
  kWritePrepared,
  kWriteUnprepared,
};

struct MutableDBOptions {
  MutableDBOptions() : MutableDBOptions(DBOptions()) {}
  // `options` are sanitised (options/sanitize.h).
  explicit MutableDBOptions(const DBOptions& options);

#define FIXED(member, ...)
#define DYNAMIC(member, ...) decltype(DBOptions::member) member;
#include "options/db_rows.def"

  // How the options say that bulk work reads table files, and that flushes and
  // compactions write them: never kDefault. kAuto: the file system is asked.
  FileAccess wanted_read_access;
  FileAccess wanted_write_access;

  // How they do so: never kDefault or kAuto. Where the file system is asked,
  // kUncached until the database has done so. A job keeps to what it began
  // with. Instead of the options that they come from, these are what the engine
  // reads.
  FileAccess read_access;
  FileAccess write_access;
};

struct ImmutableDBOptions {
  // `options` are sanitised (options/sanitize.h).
  explicit ImmutableDBOptions(const DBOptions& options);
  // For the question to a FileSystem alone: how are files accessed `now`?
  ImmutableDBOptions(const ImmutableDBOptions& fixed,
                     const MutableDBOptions& now);

#define FIXED(member, ...) decltype(DBOptions::member) member;
#define DYNAMIC(member, ...)
#include "options/db_rows.def"

  // What FileSystem::OptimizeForCompactionTableRead() and -Write() are asked:
  // their parameter has this type. A bug where these were not made for that.
  struct Access {
    FileAccess read;
    FileAccess write;
  };
  const Access& asked_access() const {
    INVARIANT(asked_access_.has_value());
    return *asked_access_;
  }

  SectionPolicy section_policy = SectionPolicy::kWriteCommitted;
  FileSystem* fs;
  SystemClock* clock;
  Logger* logger;                            // may be null
  Statistics* stats;                         // may be null
  BlockCacheTracer* block_tracer = nullptr;  // null: nobody ever traces

 private:
  std::optional<Access> asked_access_;
};

// All options, as they are now.
DBOptions BuildDBOptions(const ImmutableDBOptions& fixed,
                         const MutableDBOptions& now);

// `current` with the named options set, and the names of those whose value
// has changed. InvalidArgument, with nothing changed, for a name that is
// unknown or fixed, or a value that is wrong.
Status ChangeDBOptions(
    const DBOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    DBOptions* result, std::vector<std::string>* changed_names);

}  // namespace ROCKSDB_NAMESPACE
