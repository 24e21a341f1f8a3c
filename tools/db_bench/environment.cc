#include "tools/db_bench/environment.h"

#include <array>
#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/pacer.h"
#include "tools/db_bench/stderr_logger.h"
#include "tools/db_bench/watched_files.h"

DEFINE_string(env_uri, "", "Run on the Env of this name. Excludes --fs_uri.");
DEFINE_string(fs_uri, "",
              "Run on the file system of this name. Excludes --env_uri.");
DEFINE_bool(report_file_operations, false,
            "Count what is done to files; print it after each benchmark.");
DEFINE_bool(simulate_hdd, false,
            "Slow reads and writes down as a disk with one arm does.");
DEFINE_string(simulate_hybrid_fs_file, "",
              "Slow down warm files alone, which the last level is made of; "
              "the list of them is kept in this file. Empty: do not.");
DEFINE_int32(simulate_hybrid_hdd_multipliers, 1,
             "How many such disks there are.");
DEFINE_int64(fault_injection_read_after_reads, 0,
             "One read of a table fails after so many that do not, over and "
             "over. 0: none fails.");
DEFINE_bool(enable_io_prio, false,
            "Background threads have a lower I/O priority.");
DEFINE_bool(enable_cpu_prio, false,
            "Background threads have a lower CPU priority.");
DEFINE_bool(io_uring_enabled, true, "The engine may use io_uring.");
DEFINE_bool(use_stderr_info_logger, false,
            "The engine's log goes to stderr, not to LOG.");
DEFINE_int32(num_high_pri_threads, 0, "Flush threads. 0: the engine's.");
DEFINE_int32(num_low_pri_threads, 0, "Compaction threads. 0: the engine's.");
DEFINE_int32(num_bottom_pri_threads, 0, "Bottom threads. 0: the engine's.");

// The engine asks the program whether it may. Weak: a program that embeds this
// one may have an answer of its own.
extern "C" __attribute__((weak)) bool RocksDbIOUringEnable() {
  return FLAGS_io_uring_enabled;
}

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class FileCounter final : public FileWatcher {
 public:
  void OnOpen(const std::string& /*file*/) override { ++opened_; }
  IOStatus OnRead(const std::string& /*file*/, uint64_t bytes) override {
    OnSequentialRead(bytes);
    return IOStatus::OK();
  }
  void OnSequentialRead(uint64_t bytes) override {
    ++reads_;
    bytes_read_ += bytes;
  }
  void OnWrite(const std::string& /*file*/, uint64_t bytes) override {
    ++appends_;
    bytes_written_ += bytes;
  }

  void OnCall(FileCall call) override { ++calls_[static_cast<size_t>(call)]; }

  // In the order and with the words of RocksDB's report.
  std::string Take() {
    std::string text = Line("files opened", &opened_);
    const struct {
      const char* name;
      FileCall call;
    } calls[] = {{"files deleted", FileCall::kDelete},
                 {"files renamed", FileCall::kRename},
                 {"Flush()", FileCall::kFlush},
                 {"Sync()", FileCall::kSync},
                 {"Fsync()", FileCall::kFsync},
                 {"Dir Fsync()", FileCall::kDirectoryFsync},
                 {"Close()", FileCall::kClose},
                 {"Dir Open()", FileCall::kDirectoryOpen},
                 {"Dir Close()", FileCall::kDirectoryClose}};
    for (const auto& [name, call] : calls) {
      text += Line(name, &calls_[static_cast<size_t>(call)]);
    }
    return "\n" + text + Line("Read()", &reads_) + Line("Append()", &appends_) +
           Line("bytes read", &bytes_read_) +
           Line("bytes written", &bytes_written_);
  }

 private:
  static std::string Line(const char* name, std::atomic<uint64_t>* count) {
    return Format("Num %s: %llu\n", name, Printable(count->exchange(0)));
  }

  std::array<std::atomic<uint64_t>, kFileCalls> calls_{};
  std::atomic<uint64_t> opened_{0};
  std::atomic<uint64_t> reads_{0};
  std::atomic<uint64_t> appends_{0};
  std::atomic<uint64_t> bytes_read_{0};
  std::atomic<uint64_t> bytes_written_{0};
};

// Disks that serve one request after the other: 8 ms until the arm is there,
// and 100 bytes a microsecond then. What is written is written in order.
class SlowDisks : public FileWatcher {
 public:
  explicit SlowDisks(int count)
      : micros_(uint64_t{1'000'000} * static_cast<uint64_t>(count)) {}

  IOStatus OnRead(const std::string& file, uint64_t bytes) override {
    if (IsOnDisk(file)) micros_.Wait(kSeekMicros + bytes / kBytesPerMicro);
    return IOStatus::OK();
  }
  void OnWrite(const std::string& file, uint64_t bytes) override {
    if (IsOnDisk(file)) micros_.Wait(bytes / kBytesPerMicro);
  }

 protected:
  virtual bool IsOnDisk(const std::string& /*file*/) { return true; }

 private:
  static constexpr uint64_t kSeekMicros = 8000;
  static constexpr uint64_t kBytesPerMicro = 100;

  Pacer micros_;
};

// The same, but only warm files are on them. They are written down, as nobody
// else tells later which files were warm.
class SlowDisksForWarmFiles final : public SlowDisks {
 public:
  SlowDisksForWarmFiles(const std::string& list_path, int count)
      : SlowDisks(count), list_path_(list_path) {
    std::ifstream list(list_path_);
    for (std::string name; std::getline(list, name);) warm_.insert(name);
  }

  void OnCreate(const std::string& file, Temperature temperature) override {
    if (temperature != Temperature::kWarm) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    warm_.insert(file);
    Write();
  }
  void OnDelete(const std::string& file) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (warm_.erase(file) != 0) Write();
  }

 protected:
  bool IsOnDisk(const std::string& file) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return warm_.count(file) != 0;
  }

 private:
  void Write() {
    std::ofstream list(list_path_, std::ios::trunc);
    for (const std::string& name : warm_) list << name << '\n';
  }

  const std::string list_path_;
  std::mutex mutex_;  // Guards warm_ and the file.
  std::set<std::string> warm_;
};

class ReadFaults final : public FileWatcher {
 public:
  explicit ReadFaults(int64_t good_reads)
      : good_reads_(static_cast<uint64_t>(good_reads)) {}

  IOStatus OnRead(const std::string& file, uint64_t /*bytes*/) override {
    if (!file.ends_with(".sst")) return IOStatus::OK();
    const uint64_t number = reads_.fetch_add(1) + 1;
    if (number % (good_reads_ + 1) != 0) return IOStatus::OK();
    return IOStatus::IOError("--fault_injection_read_after_reads", file);
  }

 private:
  const uint64_t good_reads_;
  std::atomic<uint64_t> reads_{0};
};

std::shared_ptr<FileCounter>& CounterOfFiles() {
  static std::shared_ptr<FileCounter> counter;
  return counter;
}

FileWatchers WatchersByFlags() {
  FileWatchers watchers;
  if (FLAGS_report_file_operations) {
    CounterOfFiles() = std::make_shared<FileCounter>();
    watchers.push_back(CounterOfFiles());
  }
  const int disks = FLAGS_simulate_hybrid_hdd_multipliers;
  if (!FLAGS_simulate_hybrid_fs_file.empty()) {
    watchers.push_back(std::make_shared<SlowDisksForWarmFiles>(
        FLAGS_simulate_hybrid_fs_file, disks));
  } else if (FLAGS_simulate_hdd) {
    watchers.push_back(std::make_shared<SlowDisks>(disks));
  }
  if (FLAGS_fault_injection_read_after_reads > 0) {
    watchers.push_back(
        std::make_shared<ReadFaults>(FLAGS_fault_injection_read_after_reads));
  }
  return watchers;
}

// Lives as long as the process: databases and their threads use it.
Status FindEnv(Env** env) {
  static std::shared_ptr<Env> guard;
  static std::unique_ptr<Env> watched;
  if (!FLAGS_env_uri.empty() || !FLAGS_fs_uri.empty()) {
    Status s = Env::CreateFromUri(ConfigOptions(), FLAGS_env_uri, FLAGS_fs_uri,
                                  env, &guard);
    if (!s.ok()) {
      return Status::InvalidArgument(
          "--env_uri=" + FLAGS_env_uri + " --fs_uri=" + FLAGS_fs_uri,
          s.ToString());
    }
  }
  const FileWatchers watchers = WatchersByFlags();
  if (watchers.empty()) return Status::OK();
  watched =
      NewCompositeEnv(NewWatchedFileSystem((*env)->GetFileSystem(), watchers));
  *env = watched.get();
  return Status::OK();
}

void SetThreadPools(Env* env) {
  const struct {
    int32_t count;
    Env::Priority pool;
  } pools[] = {{FLAGS_num_high_pri_threads, Env::Priority::HIGH},
               {FLAGS_num_low_pri_threads, Env::Priority::LOW},
               {FLAGS_num_bottom_pri_threads, Env::Priority::BOTTOM}};
  for (const auto& [count, pool] : pools) {
    if (count > 0) env->SetBackgroundThreads(count, pool);
    if (pool == Env::Priority::BOTTOM) continue;
    if (FLAGS_enable_io_prio) env->LowerThreadPoolIOPriority(pool);
    if (FLAGS_enable_cpu_prio) env->LowerThreadPoolCPUPriority(pool);
  }
}

}  // namespace

Status SetEnvironment(OptionSet* set) {
  if (FLAGS_simulate_hybrid_hdd_multipliers < 1) {
    return Status::InvalidArgument("--simulate_hybrid_hdd_multipliers",
                                   "must be at least 1");
  }
  if (Status s = FindEnv(&set->db.env); !s.ok()) return s;
  SetThreadPools(set->db.env);
  if (FLAGS_use_stderr_info_logger) set->db.info_log = NewStderrLogger();
  return FLAGS_simulate_hybrid_fs_file.empty() ? Status::OK()
                                               : MakeLastLevelWarm(&set->cf);
}

std::string TakeFileReport() {
  return CounterOfFiles() == nullptr ? "" : CounterOfFiles()->Take();
}

}  // namespace ROCKSDB_NAMESPACE::bench
