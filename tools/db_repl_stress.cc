// db_repl_stress: one thread writes, another follows the writes by
// GetUpdatesSince(), and must miss none.

#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/transaction_log.h"
#include "tools/common/flags.h"

namespace {

namespace rdb = ROCKSDB_NAMESPACE;

// Follows the log from the first write on.
class Follower {
 public:
  explicit Follower(rdb::DB* db) : db_(*db) {}

  // Until `last` has come, or something is wrong: the result.
  bool Run(const std::atomic<bool>& is_written, uint64_t last) {
    while (next_ <= last) {
      // Asked first: what is written by then must be there.
      const bool is_all_written = is_written.load();
      if (!Refresh()) {
        if (is_all_written) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      for (; updates_->Valid(); updates_->Next()) {
        const rdb::BatchResult batch = updates_->GetBatch();
        if (batch.sequence != next_) {
          std::fprintf(stderr,
                       "Missed sequence: expected %" PRIu64 ", found %" PRIu64
                       "\n",
                       next_, static_cast<uint64_t>(batch.sequence));
          return false;
        }
        next_ += static_cast<uint64_t>(batch.writeBatchPtr->Count());
      }
    }
    if (next_ > last) return true;
    std::fprintf(stderr, "Missed sequence: %" PRIu64 ": %s\n", next_,
                 error_.ToString().c_str());
    return false;
  }

 private:
  // False: what is next is not in the log yet, or will never be.
  bool Refresh() {
    std::fprintf(stderr, "Refreshing iterator\n");
    updates_.reset();
    error_ = db_.GetUpdatesSince(next_, &updates_);
    return error_.ok() && updates_->Valid();
  }

  rdb::DB& db_;
  std::unique_ptr<rdb::TransactionLogIterator> updates_;
  rdb::Status error_;
  uint64_t next_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  uint64_t inserts = 1000;
  uint64_t ttl_seconds = 1000;
  uint64_t size_limit_mb = 10;
  tools::Flags flags;
  flags.Add("num_inserts", &inserts, "writes");
  flags.Add("wal_ttl_seconds", &ttl_seconds, "how long old logs are kept");
  flags.Add("wal_size_limit_MB", &size_limit_mb,
            "how much of old logs is kept");
  if (!flags.Parse("follows a database's log while it is written", argc,
                   argv)) {
    return flags.exit_status();
  }
  std::string path;
  rdb::Status s = rdb::Env::Default()->GetTestDirectory(&path);
  path += "/db_repl_stress";
  rdb::Options options;
  options.create_if_missing = true;
  options.WAL_ttl_seconds = ttl_seconds;
  options.WAL_size_limit_MB = size_limit_mb;
  if (s.ok()) s = rdb::DestroyDB(path, options);
  rdb::DB* opened = nullptr;
  if (s.ok()) s = rdb::DB::Open(options, path, &opened);
  if (!s.ok()) {
    std::fprintf(stderr, "Could not open the database: %s\n",
                 s.ToString().c_str());
    return 1;
  }
  const std::unique_ptr<rdb::DB> db(opened);
  std::atomic<bool> is_written{false};
  bool has_all = false;
  std::thread follower(
      [&] { has_all = Follower(db.get()).Run(is_written, inserts); });
  for (uint64_t i = 0; i < inserts && s.ok(); ++i) {
    s = db->Put(rdb::WriteOptions(), "key" + std::to_string(i % 1000),
                std::string(500, static_cast<char>('a' + i % 26)));
  }
  is_written.store(true);
  if (!s.ok()) {
    // The follower would wait for ever.
    std::fprintf(stderr, "A write failed: %s\n", s.ToString().c_str());
    std::quick_exit(1);
  }
  follower.join();
  if (!has_all) return 1;
  std::fprintf(stderr, "Successful!\n");
  return 0;
}
