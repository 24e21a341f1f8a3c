// What a key had before an entry of a log that is being replayed: its value in
// the memtable that the replay fills, or in the files below it. An
// inplace_callback makes the entry's value of that.
//
// The files may be such that no published version has: those that the replay
// itself has written, or those of a manifest that is being caught up with.
//
// Threads    The one that replays.
// Errors     Those of a read.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "db/version/version.h"
#include "db/wal/memtable_inserter.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class ColumnFamilySet;
class VersionEdit;
struct FollowedFamily;
struct ImmutableDBOptions;

// The family's current version with the edit's files, or a followed family's.
Status MakeReplayedVersion(ColumnFamilyData* cfd, const VersionEdit& edit,
                           VersionRef* result);
Status MakeReplayedVersion(const FollowedFamily& followed, VersionRef* result);

// ReadReplayed() answers like ColumnFamilyMemTables::ReadOlder(). It looks in
// `mem` and then in `files`.
struct ReplayedState {
  ColumnFamilyData* cfd = nullptr;
  std::shared_ptr<MemTable> mem;
  VersionRef files;
};
Status ReadReplayed(const ImmutableDBOptions& db, const ReplayedState& state,
                    SequenceNumber sequence, const Slice& key,
                    std::string* value);

// The targets of a replay that writes files of its own: like `targets`, but
// values are read in those files, too.
class ReplayTargets final : public ColumnFamilyMemTables {
 public:
  // What has been written so far, by family; grows while this lives.
  using Edits = std::map<uint32_t, VersionEdit>;
  ReplayTargets(const ImmutableDBOptions* db, ColumnFamilySet* families,
                ColumnFamilyMemTables* targets, const Edits* edits);
  ~ReplayTargets() override;

  bool Find(uint32_t id, Target* target) override {
    return targets_->Find(id, target);
  }
  void OnFull(uint32_t id, MemTable* memtable) override {
    targets_->OnFull(id, memtable);
  }
  Status ReadOlder(uint32_t id, SequenceNumber sequence, const Slice& key,
                   std::string* value) override;

 private:
  // Made anew when another file has been written.
  struct Files {
    size_t written_count = 0;
    VersionRef version;
  };
  Status FilesOf(ColumnFamilyData* cfd, VersionRef* result);

  const ImmutableDBOptions* const db_;
  ColumnFamilySet* const families_;
  ColumnFamilyMemTables* const targets_;
  const Edits* const edits_;
  std::map<uint32_t, Files> files_;
};

}  // namespace ROCKSDB_NAMESPACE
