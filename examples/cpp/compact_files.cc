// Chooses files for compactions itself: a listener asks, at the end of each
// flush, for the files of level 0 to be merged into level 1 as soon as there
// are four of them. The database starts no compaction of its own.
//
//   compact_files DIRECTORY
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"

namespace {

void Check(const rocksdb::Status& s) {
  if (s.ok()) return;
  fprintf(stderr, "%s\n", s.ToString().c_str());
  exit(1);
}

// Counts flushes; a listener must not wait, so another thread compacts.
class FlushCounter final : public rocksdb::EventListener {
 public:
  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++flushes_;
    changed_.notify_all();
  }
  void AwaitFlushes(int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return flushes_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int flushes_ = 0;
};

std::vector<std::string> FilesOfLevel(rocksdb::DB* db, size_t level) {
  rocksdb::ColumnFamilyMetaData all;
  db->GetColumnFamilyMetaData(&all);
  std::vector<std::string> names;
  for (const auto& file : all.levels[level].files) names.push_back(file.name);
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr int kFiles = 4;
  const auto counter = std::make_shared<FlushCounter>();
  rocksdb::Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.listeners.push_back(counter);
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, std::string(argv[1]) + "/db", &db));

  std::thread compactor([&] {
    counter->AwaitFlushes(kFiles);
    const std::vector<std::string> files = FilesOfLevel(db.get(), 0);
    printf("files in level 0: %zu\n", files.size());
    Check(db->CompactFiles(rocksdb::CompactionOptions(), files, 1));
  });
  for (int i = 0; i < kFiles; ++i) {
    Check(db->Put(rocksdb::WriteOptions(), "round", std::to_string(i)));
    Check(db->Flush(rocksdb::FlushOptions()));
  }
  compactor.join();
  printf("now %zu, and in level 1: %zu\n", FilesOfLevel(db.get(), 0).size(),
         FilesOfLevel(db.get(), 1).size());
  std::string value;
  Check(db->Get(rocksdb::ReadOptions(), "round", &value));
  printf("round = %s\n", value.c_str());
  return 0;
}
