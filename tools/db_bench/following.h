// A database that is a copy of another one, which writes: a secondary or a
// follower.
//
// Threads    CatchingUp has a thread of its own, until it is destroyed.
// Errors     OpenFollowing() answers as the engine does; what catching up ends
//            with goes to stderr, as the next try may be better.

#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/openings.h"

namespace ROCKSDB_NAMESPACE::bench {

// Whether the flags ask for such a database.
bool IsFollowing();
// Empty if they agree with each other.
std::string CheckFollowingFlags();

Status OpenFollowing(const OpenRequest& request, OpenAnswer<DB>* answer);

// Has a secondary read what its primary wrote, every
// --secondary_update_interval seconds. A follower does so by itself.
class CatchingUp {
 public:
  explicit CatchingUp(DB* db);
  ~CatchingUp();

 private:
  void Run();

  DB* const db_;
  std::mutex mutex_;  // Guards is_over_.
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
