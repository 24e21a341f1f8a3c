// A directory that is filled under another name and gets its own at the end:
// it is there as a whole or not at all.
//
// Threads  Link(), Copy(), CopyOptions() and Write() of different files from
//          any thread; the others from one.
// Errors   What has failed leaves nothing, once this is destroyed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "utilities/checkpoint/checkpoint_making.h"

namespace ROCKSDB_NAMESPACE {

class FileSystem;
struct FileOptions;
class IoGovernor;
class Statistics;

class NewDirectory {
 public:
  // What is said of a name that cannot be used, in RocksDB's words.
  struct NameErrors {
    const char* invalid;
    const char* exists;
  };

  // `means` outlives it.
  NewDirectory(DB* db, const std::string& name, const NameErrors& errors,
               const CheckpointMeans& means);
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  const std::string& name() const { return name_; }
  // Where it is filled.
  const std::string& draft() const { return draft_; }

  Status Begin();
  // A hard link of a table or a blob file; a copy where the file system has
  // none, or none are wanted. That is read directly if users read so, and both
  // are files of that temperature.
  Status Link(const std::string& source, const std::string& name,
              uint64_t size_bytes, Temperature temperature);
  // False: what Link() placed last is a copy, and what comes will be.
  bool has_links() const { return can_link_.load(std::memory_order_relaxed); }
  Status Copy(const std::string& source, const std::string& name,
              uint64_t size_bytes);
  // Without what the options say of the families of these names.
  Status CopyOptions(const std::string& source, const std::string& name,
                     const std::set<std::string>& left_out);
  Status Write(const std::string& name, const std::string& bytes);
  Status CheckThere(const std::string& source) const;
  // A file that somebody else has put there.
  void NoteWritten(uint64_t size_bytes);
  Status Finish();

 private:
  // OK, too, if there is none.
  Status RemoveDraft();
  Status CopyWith(const FileOptions& options, const std::string& source,
                  const std::string& name, uint64_t size_bytes);

  const NameErrors errors_;
  const CheckpointMeans& means_;
  FileSystem* const fs_;
  const std::shared_ptr<IoGovernor> governor_;    // copies are background work
  const std::shared_ptr<Statistics> statistics_;  // may be null
  const bool reads_tables_directly_;
  const std::string name_;
  const std::string draft_;
  bool is_draft_ = false;
  // relaxed: it orders nothing but itself.
  std::atomic<bool> can_link_;
};

}  // namespace ROCKSDB_NAMESPACE
