// How a database gets at its table files: as the options ask and the file
// systems allow, found out by files that are made in its directories.
//
// FileAccess::kAuto becomes the best that works for every directory. What is
// asked for by name and refused is an error that names the option and the
// path.
//
// Threads    Any. It has no state of its own.
// Ownership  Borrows the database's options.
#pragma once

#include <string>
#include <vector>

#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class FileAccessChooser {
 public:
  // Whoever writes no tables makes no files either, and nothing is refused.
  enum class Probing { kByFiles, kNone };
  // `files`: how users' reads open tables.
  FileAccessChooser(const ImmutableDBOptions* db, FileOptions files,
                    Probing probing);

  // Fills in read_access and write_access of `*chosen`, and tells LOG of them
  // where they were asked for. Directories are made that are not there.
  Status ChooseAtOpen(const std::vector<std::string>& paths,
                      MutableDBOptions* chosen) const;
  // For SetDBOptions(), which turns `before` into `*next`: chooses again where
  // the wanted access changed, and keeps the earlier choice elsewhere.
  Status Change(const MutableDBOptions& before,
                const std::vector<std::string>& paths,
                MutableDBOptions* next) const;
  // Do these new paths allow what was chosen?
  Status Check(const MutableDBOptions& chosen,
               const std::vector<std::string>& paths) const;

 private:
  struct Refusals {
    Status reads, writes;
  };
  Status Choose(const std::vector<std::string>& paths, MutableDBOptions* chosen,
                Refusals* refusals) const;
  void Tell(const MutableDBOptions& chosen, const Refusals& refusals) const;
  Status CreateDirectories(const MutableDBOptions& wanted,
                           const std::vector<std::string>& paths) const;
  Status TryDirectReads(const MutableDBOptions& wanted,
                        const std::vector<std::string>& paths) const;
  Status TryDirectWrites(const MutableDBOptions& wanted,
                         const std::vector<std::string>& paths) const;

  const ImmutableDBOptions* const db_;
  const FileOptions files_;
  const Probing probing_;
};

}  // namespace ROCKSDB_NAMESPACE
