// The files of one family, as a manifest tells of them edit by edit, and what
// can be had of them where some are missing: for best efforts.
//
// Cost     An edit costs the files that it names, not those that there are.
// Threads  One.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "db/version/version_edit.h"

namespace ROCKSDB_NAMESPACE {

class SurvivingFiles {
 public:
  // Newer tables of level 0 are greater (db-format.md 5.7).
  using Age = std::tuple<uint64_t, SequenceNumber, SequenceNumber, uint64_t>;
  static Age AgeOf(const FileMeta& file);

  // `missing`: of the files that the edit adds, and maybe others. `step`
  // ascends.
  void Apply(const VersionEdit& edit, size_t step,
             const std::unordered_set<uint64_t>& missing);

  // A point in time of which all is there: what the tables hold, or what they
  // hold but for the newest of level 0.
  struct State {
    // Up to where.
    SequenceNumber reaches = 0;
    // From this table of level 0 on all are left out.
    std::optional<Age> left_out_from = std::nullopt;

    bool LeavesOut(int level, const FileMeta& file) const {
      return level == 0 && left_out_from && AgeOf(file) >= *left_out_from;
    }
  };
  // The newest one; none where a table below level 0 is spoilt.
  std::optional<State> Judge() const;

  // What is missing in that state, and the tables that need it.
  std::set<uint64_t> TablesLeftOut(const State& state) const;
  std::set<uint64_t> BlobsLeftOut() const;

 private:
  struct Table {
    int level = 0;
    FileRef file;
    size_t step = 0;  // that added it
    bool is_missing = false;
    // A missing blob file to which it may refer; 0: none.
    uint64_t missing_blob = 0;

    bool is_spoilt() const { return is_missing || missing_blob != 0; }
  };
  struct MissingBlob {
    size_t step = 0;               // that added it
    uint64_t live_count = 0;       // that are not garbage
    std::vector<uint64_t> spoils;  // tables of which it is `missing_blob`
  };

  void AddTable(const VersionEdit::NewFile& entry, size_t step,
                bool is_missing);
  void RemoveTable(uint64_t number);
  void Count(const Table& table);
  void Discount(const Table& table);
  void FindMissingBlob(uint64_t number, Table* table);
  void AddBlob(const BlobFileAddition& blob, size_t step);
  void DropUnneededBlobs();
  void DropIfGarbage(uint64_t number);

  std::unordered_map<uint64_t, Table> tables_;
  // All of them, and the spoilt ones.
  std::map<Age, uint64_t> level0_, spoilt_level0_;
  size_t spoilt_deeper_count_ = 0;
  std::multiset<SequenceNumber> deeper_sequences_;  // the largest of each
  // How many tables have it for their oldest blob file.
  std::map<uint64_t, size_t> links_;
  std::map<uint64_t, MissingBlob> missing_blobs_;
  std::vector<uint64_t> added_now_;      // tables of the step
  std::vector<uint64_t> maybe_garbage_;  // blob files, by the edit
  size_t step_ = 0;
  SequenceNumber newest_ = 0;  // that any table ever had
};

}  // namespace ROCKSDB_NAMESPACE
