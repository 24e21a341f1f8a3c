// A version set, its files and its jobs over a file system that fails on
// purpose, without a database around them.
//
// Entries are text as in tests/db/semantics/compaction_entries.h.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/compaction/compaction_job.h"
#include "db/compaction/compaction_picker.h"
#include "db/flush/flush_job.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/version_recovery.h"
#include "db/manifest/version_set.h"
#include "file/page_cache_room.h"
#include "memtable/memtable.h"
#include "rocksdb/convenience.h"
#include "tests/db/semantics/compaction_entries.h"
#include "tests/db/tables/table_files.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

class JobWorld {
 public:
  JobWorld() {
    f.family.compression = kNoCompression;
    f.family.num_levels = 4;
    f.family.level_compaction_dynamic_level_bytes = false;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &f.family.merge_operator)
                    .ok());
  }
  ~JobWorld() { Close(); }

  // After the options are set.
  void Create() {
    f.Open(/*pins=*/true, file_system);
    ASSERT_TRUE(
        f.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    MakeVersions();
    // Unless another one was over the same file system.
    if (f.fs->FileExists(CurrentFileName("/db"), IOOptions(), nullptr)
            .IsNotFound()) {
      ASSERT_TRUE(versions->CreateNew("the-id", directory.get()).ok());
    }
    Reopen();
  }
  void Reopen(const RecoverOptions& recover = RecoverOptions()) {
    MakeVersions();
    MutexLock lock(&mutex);
    const Status s = versions->Recover({{"default", f.family}}, recover);
    ASSERT_TRUE(s.ok()) << s.ToString();
    cfd = versions->families()->default_family();
    picker = NewCompactionPicker(cfd->ioptions());
  }
  void Close() {
    if (versions == nullptr) return;
    IgnoreError(versions->manifest()->Close(), "the test is over");
    cfd = nullptr;
    versions.reset();
  }

  JobContext Context() {
    JobContext context;
    context.job_id = ++last_job_id;
    context.db_name = "/db";
    context.db_id = "faa7a530-9e8f-4116-8439-3195a5c928ab";
    context.db_session_id = "NVX5J2V5R5ORAM6WHLQV";
    context.db = f.db.get();
    context.mutable_db = std::make_shared<MutableDBOptions>(f.db_options);
    context.output_file_options = f.fs->OptimizeForCompactionTableWrite(
        FileOptions(), ImmutableDBOptions(*f.db, *context.mutable_db));
    context.versions = versions.get();
    context.cfd = cfd;
    context.mutex = &mutex;
    context.db_directory = directory.get();
    context.page_cache = page_cache;
    context.leaves_page_cache = page_cache != nullptr && page_cache->is_short();
    context.delete_file = [this](const std::string& path, uint64_t) {
      return f.fs->DeleteFile(path, IOOptions(), nullptr);
    };
    context.output_directory = [this](uint32_t) { return directory.get(); };
    context.stop.shutting_down = &shutting_down;
    context.stop.canceled = &canceled;
    context.snapshots.sequences = snapshots;
    return context;
  }

  // A sealed memtable that waits for a flush.
  MemTableRef Seal(const std::string& text) { return Seal(ParseEntries(text)); }
  MemTableRef Seal(const std::vector<TextEntry>& entries) {
    MutexLock lock(&mutex);
    MemTableRef memtable = cfd->NewMemTable(0);
    for (const TextEntry& e : entries) {
      EXPECT_TRUE(memtable->Add(e.sequence, e.type, e.user_key, e.value).ok());
      versions->SetLastSequence(std::max(versions->LastSequence(), e.sequence));
    }
    memtable->MarkImmutable();
    memtable->set_next_log_number(++last_log);
    cfd->imm()->Add(memtable);
    return memtable;
  }
  // All that wait, in one file.
  Status FlushSealed(FlushJobInfo* info = nullptr) {
    MutexLock lock(&mutex);
    FlushJob::Request request;
    request.memtables = cfd->imm()->PickForFlush(UINT64_MAX);
    request.log_number = request.memtables.back()->next_log_number();
    FlushJob job(Context(), std::move(request));
    mutex.Unlock();
    Status s = job.Run();
    mutex.Lock();
    s = job.Install(s, last_log);
    if (info != nullptr) job.FillInfo(info);
    return s;
  }
  Status Flush(const std::string& text) {
    Seal(text);
    return FlushSealed();
  }
  Status Flush(const std::vector<TextEntry>& entries) {
    Seal(entries);
    return FlushSealed();
  }

  CompactionPicker::Input PickerInput() {
    CompactionPicker::Input input;
    input.version = cfd->current();
    input.cf = &cfd->ioptions();
    input.options = cfd->options();
    input.max_subcompactions = max_subcompactions;
    return input;
  }
  // Everything at `from` to level `to`, rewritten.
  Status Compact(int from, int to, CompactionJobInfo* info = nullptr) {
    MutexLock lock(&mutex);
    CompactionPicker::Range range;
    range.input_level = from;
    range.output_level = to;
    bool conflict = false;
    std::optional<InternalKey> rest;
    auto compaction = picker->PickRange(PickerInput(), range, &conflict, &rest);
    EXPECT_FALSE(conflict);
    if (compaction == nullptr) return Status::NotFound("nothing to compact");
    compaction->is_trivial_move = false;
    if (max_output_bytes > 0) {
      compaction->max_output_file_bytes = max_output_bytes;
    }
    if (max_overlap_bytes > 0) {
      compaction->max_grandparent_overlap_bytes = max_overlap_bytes;
    }
    const Compaction* plan = compaction.get();
    plan->MarkInputs(true);
    picker->Register(plan);
    CompactionJob job(Context(), std::move(compaction));
    job.Prepare();
    mutex.Unlock();
    Status s = job.Run();
    mutex.Lock();
    s = job.Install(s);
    picker->Unregister(plan);
    plan->MarkInputs(false);
    work = job.work();
    if (info != nullptr) job.FillInfo(s, info);
    return s;
  }

  std::vector<FileRef> Files(int level) {
    MutexLock lock(&mutex);
    return cfd->current()->storage().files(level);
  }
  // "L1 [a@0=x b-d@5] [e@0=y]; L2 ...": what each file holds.
  std::string Dump() {
    std::string text;
    for (int level = 0; level < f.family.num_levels; ++level) {
      const std::vector<FileRef> files = Files(level);
      if (files.empty()) continue;
      text += (text.empty() ? "L" : "; L") + std::to_string(level);
      for (const FileRef& file : files) text += " [" + Content(file) + "]";
    }
    return text;
  }
  std::string Content(const FileRef& file) {
    std::string text;
    const auto add = [&text](const TextEntry& e) {
      text += (text.empty() ? "" : " ") + e.Text();
    };
    for (const TextEntry& e : Entries(file)) add(e);
    return text;
  }
  std::vector<TextEntry> Entries(const FileRef& file) {
    std::vector<TextEntry> entries;
    TableCache::IteratorRequest request = f.Request(file, nullptr);
    std::unique_ptr<InternalIterator> it;
    EXPECT_TRUE(cfd->tables()->NewIterator(request, &it).ok());
    if (it == nullptr) return entries;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      entries.push_back({ExtractUserKey(it->key()).ToString(),
                         ExtractSequence(it->key()), ExtractType(it->key()),
                         it->value().ToString()});
    }
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    std::shared_ptr<const FragmentedTombstones> tombstones;
    EXPECT_TRUE(
        cfd->tables()
            ->Tombstones(ReadOptions(), *file, 1, *f.mutable_cf, &tombstones)
            .ok());
    for (size_t i = 0; i < tombstones->size(); ++i) {
      const auto fragment = tombstones->at(i);
      for (SequenceNumber sequence : fragment.sequences) {
        entries.push_back({fragment.begin.ToString(), sequence,
                           kTypeRangeDeletion, fragment.end.ToString()});
      }
    }
    return entries;
  }

  // Numbers of the table files on disk, and of those in the version.
  std::set<uint64_t> FilesOnDisk() {
    std::vector<std::string> names;
    EXPECT_TRUE(f.fs->GetChildren("/db", IOOptions(), &names, nullptr).ok());
    std::set<uint64_t> numbers;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (ParseFileName(name, &number, &type) && type == kTableFile) {
        numbers.insert(number);
      }
    }
    return numbers;
  }
  std::set<uint64_t> FilesInVersion() {
    std::set<uint64_t> numbers;
    for (int level = 0; level < f.family.num_levels; ++level) {
      for (const FileRef& file : Files(level)) numbers.insert(file->number);
    }
    return numbers;
  }

  TableFiles f;
  Mutex mutex;
  std::unique_ptr<FSDirectory> directory;
  std::unique_ptr<VersionSet> versions;
  ColumnFamilyData* cfd = nullptr;
  std::unique_ptr<CompactionPicker> picker;
  std::vector<SequenceNumber> snapshots;
  std::atomic<bool> shutting_down{false};
  std::atomic<bool> canceled{false};
  std::shared_ptr<FileSystem> file_system;  // null: f.fs
  // Null: tables stay open.
  const std::atomic<bool>* pins_readers = nullptr;
  PageCacheRoom* page_cache = nullptr;
  uint32_t max_subcompactions = 1;
  uint64_t max_output_bytes = 0;   // 0 = as the options say
  uint64_t max_overlap_bytes = 0;  // likewise
  uint64_t last_log = 3;
  int last_job_id = 0;
  LevelWork work;

 private:
  // Nothing deletes files here: a test sees what a job leaves.
  class NoSink final : public ObsoleteFileSink {
   public:
    void OnReferenced(uint64_t) override {}
    void OnUnreferenced(UnreferencedTable) override {}
    void OnBlobUnreferenced(const std::string&, uint64_t, uint64_t) override {}
  };

  void MakeVersions() {
    Close();
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = f.db.get();
    context.families.db = f.db.get();
    context.families.tables.paths = {"/db"};
    if (pins_readers != nullptr) {
      context.families.tables.cache = f.reader_cache;
      context.families.tables.pins_readers = pins_readers;
    }
    context.families.mutex = &mutex;
    context.sink = std::make_shared<NoSink>();
    context.mutex = &mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
  }
};

// Tells a test what the jobs tell applications.
class RecordingListener final : public EventListener {
 public:
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    lines.push_back("started " + info.cf_name);
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    lines.push_back(
        "created " +
        std::to_string(info.reason == TableFileCreationReason::kCompaction) +
        " entries " + std::to_string(info.table_properties.num_entries) +
        (info.status.ok() ? " ok" : " failed"));
  }
  std::vector<std::string> lines;
};

}  // namespace ROCKSDB_NAMESPACE
