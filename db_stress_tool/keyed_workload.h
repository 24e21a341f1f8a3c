// The workload that expects of each key what ExpectedState says.
//
// Threads    As Workload.
// Ownership  As Workload.
// Errors     To the Report.

#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "db_stress_tool/expected_state.h"
#include "db_stress_tool/key_locks.h"
#include "db_stress_tool/stamps.h"
#include "db_stress_tool/walk.h"
#include "db_stress_tool/workload.h"
#include "db_stress_tool/write_target.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/sst_file_writer.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace engine {
struct FilesToIngest;
}  // namespace engine

// One key that is read, and what may be found.
struct Lookup {
  KeyRef key;
  const char* call;
  Stamp as_of = kNewestStamp;
  Window window = {};
};

// The same for a range.
struct RangeLookup {
  KeyRange range;
  const char* call;
  Stamp as_of = kNewestStamp;
  std::vector<Window> windows = {};
};

class KeyedWorkload : public Workload {
 public:
  explicit KeyedWorkload(const Context& context);

  void Begin() override;
  void Recover() override;
  void Verify() override;
  void VerifySome(Worker* worker) override;
  void Read(Worker* worker) override;
  void ScanPrefix(Worker* worker) override;
  void Put(Worker* worker) override;
  void Delete(Worker* worker) override;
  void DeleteRange(Worker* worker) override;
  void Iterate(Worker* worker) override;
  void Ingest(Worker* worker) override;
  void CheckCopy(Worker* worker, const CopyMaker& make) override;
  void ClearFamily(size_t family, Status (*drop)(Database*, size_t)) override;
  uint64_t NoteDurableBegin() override { return expected_.Now(); }
  void NoteDurableEnd(size_t family, uint64_t token) override;
  std::string RaiseHistory(Worker* worker) override;

 private:
  using Versions = std::vector<std::vector<std::optional<uint32_t>>>;
  static constexpr uint64_t kMostWalked = 500;

  DB* db() const { return c_.database->db(); }
  ColumnFamilyHandle* handle(const KeyRef& key) const {
    return c_.database->family(key.family);
  }
  KeyRef Pick(Worker* worker) const {
    return {PickFamily(worker), PickKey(worker)};
  }
  bool has_stamps() const { return c_.flags.user_timestamp_size > 0; }
  // The stamp that a read is to be as of: the newest, or one of the past.
  Stamp DrawStamp(Worker* worker) const;
  // Whether the key is only written once and then deleted by SingleDelete().
  bool IsWrittenOnce(const KeyRef& key) const {
    return static_cast<int64_t>(key.number * 2654435761 % 100) <
           c_.flags.nooverwritepercent;
  }
  // Whether the key, which this thread has locked, may be put or deleted now.
  // SingleDelete() does not allow every order of both.
  bool MayPut(const KeyRef& key) const;
  bool MayDelete(const KeyRef& key) const;
  Durability Acknowledged() const;
  // Puts this version in one of the ways there are; says in which.
  Status PutInSomeWay(Worker* worker, const WriteTarget& target,
                      const KeyRef& key, uint32_t version, const char** call);
  WriteTarget Target(const KeyRef& key,
                     const ExpectedState::Write& write) const {
    return {db(), handle(key), Writes(),
            has_stamps() ? StampBytes(write.stamp()) : "",
            c_.database->transactions()};
  }
  Walk NewWalk(const KeyRange& range, Iterator* iterator) const {
    return {c_.format, range, iterator, c_.database->MayShowLater()};
  }
  // [number - width / 2, number + width / 2) within the keys there are.
  KeyRange RangeAround(const KeyRef& key, uint64_t width) const;
  bool ReadAll(Versions* found);

  // ---- What may be found ----

  void Open(Lookup* lookup) const;
  void Close(Lookup* lookup) const;
  void Open(RangeLookup* lookup) const;
  void Close(RangeLookup* lookup) const;
  // Whether history may have been cut off above the stamp.
  bool IsCutOff(const Status& status, Stamp as_of) const {
    return status.IsInvalidArgument() && as_of < history_low_;
  }
  void Judge(const Lookup& lookup, const Status& status, const Slice& value);
  void JudgeWalk(const RangeLookup& lookup, const Walk& walk,
                 const Status& status);

  // ---- Reads ----

  void Get(const KeyRef& key, Stamp as_of, const char* call = "Get");
  void MultiGet(Worker* worker, size_t family);
  // One lookup of several at one snapshot, and what the same lookup finds
  // alone.
  struct Answer {
    Status status;
    Slice value;
  };
  using GetAlone = std::function<Status(const Slice& name, std::string* value)>;
  void CheckAlone(const Lookup& lookup, const Answer& among,
                  const GetAlone& get);
  // Null if it is not asked for, or would change.
  std::unique_ptr<ManagedSnapshot> SnapshotToCompare(bool is_asked) const;
  void GetEntity(Worker* worker, const KeyRef& key);
  // If the flags want that blocks lie in memory of the tool's.
  void TakeBlockBuffers(ReadOptions* options);
  void MultiGetEntity(Worker* worker, size_t family);
  void AskMayExist(const KeyRef& key, Stamp as_of);
  void ScanRanges(Worker* worker);
  void VerifyFamily(size_t family);
  void VerifyByKey(Worker* worker);

  // ---- Writes of several keys ----

  struct Indexed;
  enum class IndexedWrite { kWrite, kIngest };
  void WriteIndexed(Worker* worker, IndexedWrite how);
  Status AddToIndexed(StressRandom* random, const KeyRef& key,
                      Indexed* indexed);
  void CheckIndexed(Indexed* indexed);
  Status WriteInTransaction(Indexed* indexed);
  struct TableFile;
  Status OpenTable(SstFileWriter* writer, const std::string& path);
  Status AddToTable(SstFileWriter* writer, const KeyRef& key, uint32_t version);
  Status FillTable(StressRandom* random, TableFile* table);
  Status FillReplacement(StressRandom* random, TableFile* table);
  Status IngestInSomeWay(StressRandom* random,
                         const engine::FilesToIngest& files);

  ExpectedState expected_;
  KeyLocks locks_;
  // Reads as of less may be refused.
  std::atomic<Stamp> history_low_{0};
};

}  // namespace ROCKSDB_NAMESPACE::stress
