// Takes table files away from a database before best-efforts recovery opens it.
//
// Recovery then goes back to a state that was there before the first of them.
// That can be judged only if it is not older than what was verified last, and
// only if the files of that state are there. So only tables may go that were
// made after the last opening, and in between no file is deleted.
//
// What it knows is kept beside the expected state, across kills: up to which
// number tables must stay, and that some went since the last verification.
//
// Threads    Confined to one.
// Errors     Files that cannot be read or written.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "db_stress_tool/flags.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

class TableCut {
 public:
  explicit TableCut(const Flags& flags) : flags_(flags) {}

  // Before the database is opened by another process, by chance: removes or
  // shortens some tables; and Forget().
  Status Make() const;
  // Before it is opened by the same process again. Opening deletes files, so
  // that until NoteTables() nothing may go: a process may die in between.
  Status Forget() const;
  // After it, once file deletions are disabled.
  Status NoteTables() const;
  // Whether tables went since Settle().
  bool WasMade() const;
  // What was found is verified.
  Status Settle() const;

 private:
  bool is_on() const {
    return flags_.cut_tables_one_in > 0 && !flags_.expected_values_dir.empty();
  }
  bool has_place() const { return !flags_.expected_values_dir.empty(); }
  std::string NotePath() const {
    return flags_.expected_values_dir + "/tables";
  }
  std::string MarkPath() const { return flags_.expected_values_dir + "/cut"; }
  std::optional<uint64_t> LastToStay() const;

  const Flags& flags_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
