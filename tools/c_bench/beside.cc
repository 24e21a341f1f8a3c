#include "tools/c_bench/beside.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/keys.h"
#include "tools/c_bench/made_files.h"
#include "tools/c_bench/memory_watch.h"
#include "tools/c_bench/readers.h"
#include "tools/c_bench/text.h"
#include "tools/c_bench/writer.h"

// Releases before 9 have no such call: their backup is waited for.
extern "C" [[gnu::weak]] void rocksdb_backup_engine_stop_backup(
    rocksdb_backup_engine_t* engine);

namespace c_bench {

namespace {

// Time that a writer could not use is not made up for beyond this.
constexpr uint64_t kMostLagNanos = 100'000'000;

constexpr unsigned char kForceBottommost = 2;

constexpr const char* kPendingBytes =
    "rocksdb.estimate-pending-compaction-bytes";
constexpr const char* kLevel0Files = "rocksdb.num-files-at-level0";

bool IsKind(const std::string& kind) {
  for (const char* name :
       {"none", "writer", "checkpoint", "backup", "ingestion", "compaction"}) {
    if (kind == name) return true;
  }
  return false;
}

std::string Level0Files(const Database& database) {
  const std::string files = database.TextProperty(kLevel0Files);
  return files.empty() ? "?" : files;
}

}  // namespace

OtherWork::OtherWork(const Database& database, const std::string& kind,
                     std::atomic<bool>* is_over)
    : database_(database), kind_(kind), is_over_(is_over) {
  if (!IsKind(kind)) Fail("--beside: there is no " + kind);
}

void OtherWork::Begin() {
  if (kind_ != "none") thread_ = std::thread([this] { Run(); });
}

void OtherWork::End() {
  is_stopped_.store(true);
  if (!thread_.joinable()) return;
  if (kind_ == "compaction" || kind_ == "ingestion") {
    rocksdb_cancel_all_background_work(database_.db(), /*wait=*/1);
  }
  thread_.join();
}

void OtherWork::Run() {
  if (kind_ == "writer") return WriteAtRate();
  if (kind_ == "checkpoint") return MakeCheckpoints();
  if (kind_ == "backup") return MakeBackup();
  kind_ == "ingestion" ? Ingest() : CompactAll();
  is_over_->store(true);
}

void OtherWork::WriteAtRate() {
  const Flags& flags = database_.flags();
  const int64_t own = flags.Number("bgwriter_num");
  const uint64_t keys = own < 0 ? flags.Number("num") : own;
  const double rate =
      static_cast<double>(flags.Number("benchmark_write_rate_limit"));
  Random random(flags.Number("seed") + 99);
  Writer writer(database_, random.Next());
  double due = static_cast<double>(NowNanos());
  // Once at least: the reads may be done before this thread begins.
  do {
    const uint64_t bytes = writer.Put(random.Below(keys));
    done_ += bytes;
    if (rate <= 0) continue;
    const uint64_t now = NowNanos();
    due = std::max(due, static_cast<double>(now - kMostLagNanos)) +
          static_cast<double>(bytes) * 1e9 / rate;
    if (due > static_cast<double>(now)) {
      SleepUntilNanos(static_cast<uint64_t>(due));
    }
  } while (!IsStopped());
}

void OtherWork::MakeCheckpoints() {
  const std::string path = database_.path() + ".checkpoint";
  char* error = nullptr;
  rocksdb_checkpoint_t* maker =
      rocksdb_checkpoint_object_create(database_.db(), &error);
  Check(error, "checkpoint");
  do {
    std::filesystem::remove_all(path);
    rocksdb_checkpoint_create(maker, path.c_str(), /*log_size_for_flush=*/0,
                              &error);
    Check(error, "checkpoint");
    ++done_;
  } while (!IsStopped());
  rocksdb_checkpoint_object_destroy(maker);
  std::filesystem::remove_all(path);
}

// One whole backup, in a directory of its own.
void OtherWork::MakeBackup() {
  const std::string path = database_.path() + ".backup";
  std::filesystem::remove_all(path);
  char* error = nullptr;
  rocksdb_backup_engine_t* engine =
      rocksdb_backup_engine_open(database_.options(), path.c_str(), &error);
  Check(error, "backup");
  std::thread stopper([this, engine] {
    while (!IsStopped() && !is_over_->load()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (!is_over_->load() && rocksdb_backup_engine_stop_backup != nullptr) {
      rocksdb_backup_engine_stop_backup(engine);
    }
  });
  rocksdb_backup_engine_create_new_backup(engine, database_.db(), &error);
  if (error == nullptr) {
    ++done_;
  } else if (IsStopped()) {
    rocksdb_free(error);
  } else {
    Check(error, "backup");
  }
  is_over_->store(true);
  stopper.join();
  rocksdb_backup_engine_close(engine);
  std::filesystem::remove_all(path);
}

// The files, and the compactions that follow from them.
void OtherWork::Ingest() {
  IngestFiles(database_, PreparedFiles(database_.flags()), Source::kKeep);
  ++done_;
  database_.WaitForCompaction(&is_stopped_);
}

void OtherWork::CompactAll() {
  rocksdb_compactoptions_t* options = rocksdb_compactoptions_create();
  rocksdb_compactoptions_set_bottommost_level_compaction(options,
                                                         kForceBottommost);
  rocksdb_compact_range_opt(database_.db(), options, nullptr, 0, nullptr, 0);
  if (!IsStopped()) ++done_;
  rocksdb_compactoptions_destroy(options);
}

namespace {

// --iterators of them, which stand on keys that are evenly far apart.
class OpenIterators {
 public:
  explicit OpenIterators(const Database& database)
      : options_(rocksdb_readoptions_create()) {
    const Flags& flags = database.flags();
    const int64_t count = flags.Number("iterators");
    std::string key(flags.Number("key_size"), '0');
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t number = i * flags.Number("num") / count;
      rocksdb_iterator_t* iterator = rocksdb_create_iterator_cf(
          database.db(), options_, database.Family(number));
      SetKey(number, &key);
      rocksdb_iter_seek(iterator, key.data(), key.size());
      iterators_.push_back(iterator);
    }
  }
  ~OpenIterators() {
    for (rocksdb_iterator_t* iterator : iterators_) {
      rocksdb_iter_destroy(iterator);
    }
    rocksdb_readoptions_destroy(options_);
  }
  OpenIterators(const OpenIterators&) = delete;
  OpenIterators& operator=(const OpenIterators&) = delete;

 private:
  rocksdb_readoptions_t* options_;
  std::vector<rocksdb_iterator_t*> iterators_;
};

// Reads of one kind, paced as the flags say, with something beside them.
template <typename Operation>
void ReadWith(const std::string& name, Database* database,
              const std::string& kind, const Operation& operation) {
  const Flags& flags = database->flags();
  Pace pace = ReadPace(flags);
  pace.is_timed = true;
  const OpenIterators iterators(*database);
  std::optional<MemoryWatch> watch;
  if (flags.IsOn("watch_memory")) watch.emplace(*database);
  std::atomic<bool> is_over = false;
  OtherWork other(*database, kind, &is_over);
  const uint64_t pending_before = database->Property(kPendingBytes);
  // Behind the first read: a short job may else be over before there is one.
  std::once_flag has_begun;
  const Total total = RunWorkers(
      flags, pace,
      [&](Worker* worker) {
        KeyReader reader(*database);
        for (bool is_first = true; worker->Next(); is_first = false) {
          operation(&reader, worker);
          if (is_first) std::call_once(has_begun, [&] { other.Begin(); });
        }
      },
      &is_over);
  watch.reset();
  PrintTotal(name, total, pace.is_timed, /*is_read=*/true);
  printf("Pending compaction bytes: %llu to %llu; files in level 0: %s\n",
         Printed(pending_before), Printed(database->Property(kPendingBytes)),
         Level0Files(*database).c_str());
  other.End();
  printf("Beside: %s, %llu\n", kind.c_str(), Printed(other.done()));
}

}  // namespace

void ReadBeside(const std::string& name, Database* database) {
  ReadWith(name, database, database->flags().Value("beside"),
           [](KeyReader* reader, Worker* worker) {
             reader->Read(reader->Draw(worker), worker);
           });
}

void ReadManyBeside(const std::string& name, Database* database) {
  ReadWith(name, database, database->flags().Value("beside"),
           [](KeyReader* reader, Worker* worker) { reader->ReadMany(worker); });
}

void SeekBeside(const std::string& name, Database* database) {
  ReadWith(name, database, database->flags().Value("beside"),
           [](KeyReader* reader, Worker* worker) {
             reader->Seek(reader->Draw(worker), worker);
           });
}

void ReadWhileWriting(const std::string& name, Database* database) {
  ReadWith(name, database, "writer", [](KeyReader* reader, Worker* worker) {
    reader->Read(reader->Draw(worker), worker);
  });
}

}  // namespace c_bench
