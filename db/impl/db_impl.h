// The DB: wires the parts together, and holds no algorithm of its own. Its
// calls are spread over files by verb: db_start, db_write, db_read and so on.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/background/background_work.h"
#include "db/impl/foundation.h"
#include "db/intake/intake.h"
#include "db/lookup/read_writers.h"
#include "db/read/stored_entries.h"
#include "db/write/leader_attention.h"
#include "db/write/write_controller.h"
#include "db/write/write_thread.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ColumnFamilyData;
class EphemeralReaders;
class FamilyPublisher;
class FamilyRegistry;
class FileAccessChooser;
class LevelPlacing;
class ManualQueue;
class ReadPort;
class RemoteRuns;
class SpaceReserve;
class StallControl;
class StatePublisher;
class TableCatalog;
class VersionSet;
struct FamilyEntry;
using ColumnFamilyRef = std::shared_ptr<ColumnFamilyData>;
using FamilyRef = std::shared_ptr<FamilyEntry>;
class CatchUp;
class CleanUp;
class CompactionDesk;
class CompactionQueue;
class CompactionRunner;
class FileRoom;
class FlushDesk;
class Changes;
class FamilyAttacher;
class FlushRunner;
class BackgroundControl;
class ResumeControl;
class SectionKeeper;
class TransactionDesk;
class FollowerPart;
class HomeDirectory;
class IoHelpers;
class JobContexts;
class ManualCompactions;
struct MemoryReport;
class ObsoleteFiles;
class OpenTables;
class Observatory;
class PageCacheRoom;
class PickerInputs;
class LogKeeper;
class SequenceAges;
class OptionsFiles;
struct RemoteCompactionRequest;
struct RemoteCompactionResult;
class WalLock;
struct WriteHooks;
class WriteMemory;

// What opening `path` would say if it were tried.
Status NoSuchFile(const std::string& path);

class DBImpl final : public DB, private BackgroundWork, private ReadWriters {
 public:
  // kCompactor: sees the tables alone, and compacts for another process.
  enum class Mode { kReadWrite, kReadOnly, kSecondary, kFollower, kCompactor };

  // `leader`: of a follower, the directory of the database that it follows.
  DBImpl(const DBOptions& sanitized, std::string name, Mode mode,
         const std::string& leader = "");
  ~DBImpl() override;

  // Opens; on failure the object is only good for destruction.
  Status Start(const std::vector<ColumnFamilyDescriptor>& families,
               bool error_if_wal_file_exists,
               std::vector<ColumnFamilyHandle*>* handles);

  // Writes to the LOG which of the caller's options were changed.
  void TellChangedOptions(
      const DBOptions& given,
      const std::vector<ColumnFamilyDescriptor>& families) const;

  // In mode kCompactor: carries out `request`. The new files lie in the
  // family's last path, `directory`.
  void CompactForPrimary(const RemoteCompactionRequest& request,
                         const std::string& directory,
                         const OpenAndCompactOptions& options,
                         RemoteCompactionResult* result);

  Status Close() override;
  Status Resume() override;

  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& name,
                            ColumnFamilyHandle** handle) override;
  Status CreateColumnFamilies(
      const ColumnFamilyOptions& options, const std::vector<std::string>& names,
      std::vector<ColumnFamilyHandle*>* handles) override;
  Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& families,
      std::vector<ColumnFamilyHandle*>* handles) override;
  using DB::CreateColumnFamilyWithImport;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;
  Status DropColumnFamily(ColumnFamilyHandle* family) override;
  Status DropColumnFamilies(
      const std::vector<ColumnFamilyHandle*>& families) override;
  ColumnFamilyHandle* DefaultColumnFamily() const override;

  using DB::Delete;
  using DB::DeleteRange;
  using DB::Get;
  using DB::Merge;
  using DB::Put;
  using DB::SingleDelete;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override;
  Status PutEntity(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const WideColumns& columns) override;
  using DB::PutEntity;
  Status Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                const Slice& key) override;
  Status SingleDelete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) override;
  Status DeleteRange(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& begin, const Slice& end) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& value) override;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& ts, const Slice& value) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status WriteWithCallback(const WriteOptions& options, WriteBatch* updates,
                           UserWriteCallback* callback) override;
  Status IngestWriteBatchWithIndex(
      const WriteOptions& options,
      std::shared_ptr<WriteBatchWithIndex> wbwi) override;
  // What transactions ask of it.
  TransactionDesk* transactions() { return transactions_.get(); }

  // All entries, old versions too, in internal order; see stored_entries.h.
  Status VisitEntries(ColumnFamilyHandle* family, const EntryRange& range,
                      const VisitEntry& visit);

  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value) override;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override;
  Status GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableWideColumns* columns) override;
  Status GetEntity(const ReadOptions& options, const Slice& key,
                   PinnableAttributeGroups* result) override;
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          PinnableSlice* merge_operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands) override;
  void MultiGetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                      size_t num_keys, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      const Slice* keys,
                      PinnableAttributeGroups* results) override;
  using DB::MultiGet;
  void MultiGet(const ReadOptions& options, ColumnFamilyHandle* family,
                size_t num_keys, const Slice* keys, PinnableSlice* values,
                Status* statuses, bool sorted_input) override;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, Status* statuses,
                bool sorted_input) override;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, bool sorted_input) override;
  using DB::NewIterator;
  Iterator* NewIterator(const ReadOptions& options,
                        ColumnFamilyHandle* family) override;
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& families,
                      std::vector<Iterator*>* iterators) override;
  std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;
  std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;
  const Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const Snapshot* snapshot) override;

  using DB::GetAggregatedIntProperty;
  using DB::GetIntProperty;
  using DB::GetMapProperty;
  using DB::GetProperty;
  bool GetProperty(ColumnFamilyHandle* family, const Slice& property,
                   std::string* value) override;
  bool GetMapProperty(ColumnFamilyHandle* family, const Slice& property,
                      std::map<std::string, std::string>* value) override;
  bool GetIntProperty(ColumnFamilyHandle* family, const Slice& property,
                      uint64_t* value) override;
  bool GetAggregatedIntProperty(const Slice& property,
                                uint64_t* value) override;
  Status ResetStats() override;
  using DB::GetApproximateSizes;
  Status GetApproximateSizes(const SizeApproximationOptions& options,
                             ColumnFamilyHandle* family, const Range* ranges,
                             int n, uint64_t* sizes) override;
  using DB::GetApproximateMemTableStats;
  void GetApproximateMemTableStats(ColumnFamilyHandle* family,
                                   const Range& range, uint64_t* count,
                                   uint64_t* size) override;
  const std::string& GetName() const override { return base_.name; }
  Env* GetEnv() const override { return base_.options.env; }
  FileSystem* GetFileSystem() const override { return base_.options.fs; }
  using DB::GetOptions;
  Options GetOptions(ColumnFamilyHandle* family) const override;
  DBOptions GetDBOptions() const override;
  SequenceNumber GetLatestSequenceNumber() const override;
  Status GetDbIdentity(std::string& identity) const override;
  Status GetDbSessionId(std::string& session_id) const override;
  void GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) override;
  Status GetTablesWithoutBlobs(ColumnFamilyHandle* handle,
                               const std::string& directory,
                               std::vector<LiveFileMetaData>* files) override;
  using DB::GetColumnFamilyMetaData;
  void GetColumnFamilyMetaData(ColumnFamilyHandle* family,
                               ColumnFamilyMetaData* metadata) override;
  void GetAllColumnFamilyMetaData(
      std::vector<ColumnFamilyMetaData>* metadata) override;
  using DB::GetPropertiesOfAllTables;
  Status GetPropertiesOfAllTables(ColumnFamilyHandle* family,
                                  TablePropertiesCollection* props) override;
  Status GetPropertiesOfTablesInRange(
      ColumnFamilyHandle* family, const Range* ranges, std::size_t n,
      TablePropertiesCollection* props) override;
  Status GetPropertiesOfTablesByLevel(
      ColumnFamilyHandle* family,
      std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level)
      override;
  using DB::VerifyChecksum;
  Status VerifyChecksum(const ReadOptions& options) override;
  Status VerifyFileChecksums(const ReadOptions& options) override;

  using DB::SetOptions;
  Status SetOptions(
      ColumnFamilyHandle* family,
      const std::unordered_map<std::string, std::string>& new_options) override;
  Status SetOptions(
      const std::unordered_map<ColumnFamilyHandle*,
                               std::unordered_map<std::string, std::string>>&
          options_of_families) override;
  Status SetDBOptions(
      const std::unordered_map<std::string, std::string>& new_options) override;

  using DB::Flush;
  Status Flush(const FlushOptions& options,
               ColumnFamilyHandle* family) override;
  Status Flush(const FlushOptions& options,
               const std::vector<ColumnFamilyHandle*>& families) override;
  Status FlushWAL(bool sync) override;
  Status FlushWAL(const FlushWALOptions& options) override;
  Status SyncWAL() override;
  Status LockWAL() override;
  Status UnlockWAL() override;
  using DB::CompactFiles;
  using DB::CompactRange;
  Status CompactRange(const CompactRangeOptions& options,
                      ColumnFamilyHandle* family, const Slice* begin,
                      const Slice* end) override;
  Status SuggestCompactRange(ColumnFamilyHandle* family, const Slice* begin,
                             const Slice* end) override;
  Status PromoteL0(ColumnFamilyHandle* family, int target_level) override;
  Status CompactFiles(const CompactionOptions& options,
                      ColumnFamilyHandle* family,
                      const std::vector<std::string>& input_names,
                      int output_level, int output_path_id,
                      std::vector<std::string>* output_names,
                      CompactionJobInfo* info) override;
  Status IncreaseFullHistoryTsLow(ColumnFamilyHandle* family,
                                  std::string ts_low) override;
  Status GetFullHistoryTsLow(ColumnFamilyHandle* family,
                             std::string* ts_low) override;
  Status TrimHistory(const std::string& trim_ts);
  Status WaitForCompact(const WaitForCompactOptions& options) override;
  Status GetStatsHistory(
      uint64_t start_time, uint64_t end_time,
      std::unique_ptr<StatsHistoryIterator>* stats_iterator) override;
  Status TryCatchUpWithPrimary() override;
  Status StartTrace(const TraceOptions& options,
                    std::unique_ptr<TraceWriter>&& writer) override;
  Status EndTrace() override;
  Status NewDefaultReplayer(const std::vector<ColumnFamilyHandle*>& handles,
                            std::unique_ptr<TraceReader>&& reader,
                            std::unique_ptr<Replayer>* replayer) override;
  Status PauseBackgroundWork() override;
  Status ContinueBackgroundWork() override;
  Status EnableAutoCompaction(
      const std::vector<ColumnFamilyHandle*>& families) override;
  void DisableManualCompaction() override;
  void EnableManualCompaction() override;
  void AbortAllCompactions() override;
  void ResumeAllCompactions() override;
  void AbortCompactions(ColumnFamilyHandle* family) override;
  void ResumeCompactions(ColumnFamilyHandle* family) override;
  using DB::Level0StopWriteTrigger;
  using DB::NumberLevels;
  int NumberLevels(ColumnFamilyHandle* family) override;
  int Level0StopWriteTrigger(ColumnFamilyHandle* family) override;

  Status DisableFileDeletions() override;
  Status EnableFileDeletions() override;
  Status GetLiveFiles(std::vector<std::string>& files,
                      uint64_t* manifest_file_size,
                      bool flush_memtable) override;
  Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& options,
      std::vector<LiveFileStorageInfo>* files) override;
  Status GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) override;
  Status GetCreationTimeOfOldestFile(uint64_t* creation_time) override;
  Status GetSortedWalFiles(VectorWalPtr& files) override;
  Status GetCurrentWalFile(std::unique_ptr<WalFile>* current) override;
  Status GetUpdatesSince(
      SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
      const TransactionLogIterator::ReadOptions& read_options) override;
  using DB::IngestExternalFile;
  Status IngestExternalFile(ColumnFamilyHandle* family,
                            const std::vector<std::string>& files,
                            const IngestExternalFileOptions& options) override;
  Status IngestExternalFiles(
      const std::vector<IngestExternalFileArg>& args) override;
  using DB::PrepareFileIngestion;
  Status PrepareFileIngestion(
      const std::vector<IngestExternalFileArg>& args,
      std::unique_ptr<FileIngestionHandle>* handle) override;
  Status CommitFileIngestionHandles(
      std::vector<std::unique_ptr<FileIngestionHandle>> handles) override;
  Status ClipColumnFamily(ColumnFamilyHandle* family, const Slice& begin_key,
                          const Slice& end_key) override;

  // For CancelAllBackgroundWork(): stops compactions and flushes, once what no
  // log holds is flushed, as when the database is closed.
  void FlushAndCancelBackgroundWork(bool wait);
  // For GetMemoryReport() and GetPrometheusText() (db_observe.cc).
  Status CheckOpen() const;
  MemoryReport ReportMemory() EXCLUDES(base_.mutex);
  Status WritePrometheus(std::string* text) EXCLUDES(base_.mutex);
  // For DeleteFilesInRanges() (db_delete_files.cc).
  Status DeleteFilesInRanges(ColumnFamilyHandle* family, const RangePtr* ranges,
                             size_t n, bool include_end);

 private:
  using Family = FamilyEntry;

  // --- opening (db_open.cc, db_start.cc, db_load.cc, db_directories.cc)
  void SetUpObsoleteFiles();
  Status PrepareDirectories();
  void OpenInfoLog();
  Status ChooseFileAccess(const std::vector<ColumnFamilyDescriptor>& families)
      EXCLUDES(base_.mutex);
  Status LoadVersions(const std::vector<ColumnFamilyDescriptor>& families);
  Status RecoverLogs() REQUIRES(base_.mutex);
  bool RecoversWithBestEfforts() const;
  bool ReadsLogs() const;
  Status CreateMissingFamilies() REQUIRES(base_.mutex);
  Status SetUpLogs();
  void SetUpFileRoom();
  void ScanFiles() EXCLUDES(base_.mutex);
  Status OpenHandles(const std::vector<ColumnFamilyDescriptor>& families,
                     std::vector<ColumnFamilyHandle*>* handles);
  void MakeVersions() EXCLUDES(base_.mutex);
  void SetUpFamilies();
  void SetUpBackground();
  void SetUpCleanUp() EXCLUDES(base_.mutex);
  void SetUpFiles();

  // --- writing (db_write.cc)
  Status WriteImpl(const WriteOptions& options, WriteBatch* batch,
                   const WriteHooks* hooks = nullptr);
  // --- logs (db_wal.cc)
  Status ListWals(VectorWalPtr* files) const;

  // --- background (db_background.cc)
  void FlushInBackground() override;
  void CompactInBackground() override;
  void CompactToBottomInBackground() override;
  template <class Job>
  void RunJob(const Job& job) EXCLUDES(base_.mutex);
  template <class Call>
  void NotifyListeners(const Call& call);

  // FamilyChanges::Note() must follow, for one or several.
  Status AddFamily(const ColumnFamilyOptions& options, const std::string& name,
                   ColumnFamilyRef* cfd) EXCLUDES(base_.mutex);
  ColumnFamilyHandle* NewHandle(ColumnFamilyRef cfd);
  void ForgetHandle(ColumnFamilyRef cfd);
  // A handle that is null or of another database is the caller's mistake.
  Status CheckHandle(ColumnFamilyHandle* family) const;
  // For a write of keys with the timestamp `ts`, or without one if it is null.
  Status CheckWriteHandle(ColumnFamilyHandle* family,
                          const Slice* ts = nullptr) const;
  void SetUpObservatory();
  // persist_stats_to_disk: finds or makes the family of the history.
  Status SetUpPersistentStats() EXCLUDES(base_.mutex);
  Status CheckWritable() const;

  // --- following (db_follower.cc)
  void SetUpCatchUp();
  bool Follows() const;
  Status PrepareFollower();

  // --- closing (db_close.cc)
  void CancelBackgroundWork(bool wait);
  Status Shut();
  Status FlushUnlogged();
  Status ReleaseState();

  void SetUpReadPort();
  void SetUpJobs() EXCLUDES(base_.mutex);
  void SetUpDesks() EXCLUDES(base_.mutex);
  void SetUpFlushes() EXCLUDES(base_.mutex);
  void SetUpIntake() EXCLUDES(base_.mutex);
  void SetUpTransactions() EXCLUDES(base_.mutex);
  void SetUpAttacher() EXCLUDES(base_.mutex);
  void SetUpChanges() EXCLUDES(base_.mutex);
  Intake::Surroundings Surroundings() REQUIRES(base_.mutex);
  Intake::Neighbours Neighbours() REQUIRES(base_.mutex);
  Intake::Lines Lines() REQUIRES(base_.mutex);
  Status DeleteOutside(ColumnFamilyHandle* family, const Slice& begin,
                       const Slice& end);  // db_clip.cc
  void FlushSoon(uint32_t family, MemTable* memtable) override;
  void HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                 const RangeTombstone& dead) override EXCLUDES(base_.mutex);
  void OldestSnapshotGone() override;

  Foundation base_;
  const Mode mode_;
  std::shared_ptr<PageCacheRoom> page_cache_room_;  // null: writes nothing
  std::shared_ptr<const FileAccessChooser> file_access_;
  std::shared_ptr<const SpaceReserve> space_;
  std::shared_ptr<StatePublisher> states_;
  std::shared_ptr<LevelPlacing> placing_ GUARDED_BY(base_.mutex);

  std::shared_ptr<ObsoleteFiles> obsolete_;
  std::shared_ptr<FollowerPart> follower_;  // null: it is none
  const std::shared_ptr<EphemeralReaders> ephemeral_;
  std::shared_ptr<IoHelpers> read_helpers_;
  const std::unique_ptr<OpenTables> open_tables_;
  std::shared_ptr<WriteMemory> memory_;
  std::shared_ptr<VersionSet> versions_;
  std::shared_ptr<FamilyRegistry> families_ GUARDED_BY(base_.mutex);
  std::shared_ptr<const TableCatalog> catalog_;
  ColumnFamilyData* default_cfd_ = nullptr;
  std::unique_ptr<ColumnFamilyHandle> default_handle_;
  std::shared_ptr<HomeDirectory> home_;

  WriteThread write_thread_;
  std::shared_ptr<WalLock> wal_lock_;
  std::shared_ptr<LogKeeper> logs_;  // null: nothing is written
  WriteThread log_only_thread_;
  WriteController write_controller_;
  LeaderAttention attention_;
  std::shared_ptr<SectionKeeper> sections_;  // null: not opened yet
  std::shared_ptr<ResumeControl> resume_;
  std::shared_ptr<Intake> intake_;                 // null: nothing is written
  std::shared_ptr<Changes> on_demand_;             // null: nothing is written
  std::shared_ptr<FamilyAttacher> attacher_;       // null: not opened yet
  std::shared_ptr<BackgroundControl> control_;     // null: not opened yet
  std::shared_ptr<TransactionDesk> transactions_;  // null: not opened yet

  std::shared_ptr<const RemoteRuns> remote_runs_;
  std::shared_ptr<FamilyPublisher> publisher_;
  std::shared_ptr<StallControl> stalls_ GUARDED_BY(base_.mutex);
  std::shared_ptr<CleanUp> clean_up_;             // null: not opened yet
  std::shared_ptr<CatchUp> catch_up_;             // null: it writes
  std::shared_ptr<OptionsFiles> options_files_;   // null: it does not
  std::shared_ptr<FileRoom> file_room_;           // null: it does not
  std::shared_ptr<ReadPort> reads_;               // null: not opened yet
  std::shared_ptr<CompactionQueue> compactions_;  // null: not opened yet
  std::shared_ptr<JobContexts> jobs_;             // null: not opened yet
  std::shared_ptr<CompactionRunner> runner_;      // null: not opened yet
  std::shared_ptr<const PickerInputs> picker_inputs_;
  std::shared_ptr<CompactionDesk> desk_;           // null: not opened yet
  std::shared_ptr<ManualCompactions> on_request_;  // null: not opened yet
  std::shared_ptr<ManualQueue> manual_ GUARDED_BY(base_.mutex);
  std::shared_ptr<BackgroundScheduler> background_ GUARDED_BY(base_.mutex);
  std::shared_ptr<FlushDesk> flushes_;
  std::shared_ptr<FlushRunner> flush_runner_;  // null: nothing is written
  bool opened_ = false;
  bool closed_ = false;

  std::shared_ptr<Observatory> observatory_;  // null: not opened yet
  std::shared_ptr<SequenceAges> ages_;        // null: not opened yet
};

template <class Call>
void DBImpl::NotifyListeners(const Call& call) {
  for (const auto& listener : base_.options.listeners) call(listener.get());
}

}  // namespace ROCKSDB_NAMESPACE
