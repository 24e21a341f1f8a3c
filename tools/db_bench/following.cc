#include "tools/db_bench/following.h"

#include <chrono>
#include <cstdio>

#include "rocksdb/env.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/flags.h"

DEFINE_bool(use_secondary_db, false,
            "Open a secondary of the database, whose primary may be open in "
            "another program. Needs --use_existing_db.");
DEFINE_string(secondary_path, "",
              "Its own directory. Empty: dbbench_secondary in the engine's "
              "directory for tests.");
DEFINE_int32(secondary_update_interval, 5,
             "Seconds after which it reads what the primary wrote.");
DEFINE_bool(open_as_follower, false,
            "Open a follower of the database in --leader_path, in --db.");
DEFINE_string(leader_path, "", "The database that it follows.");

namespace ROCKSDB_NAMESPACE::bench {

bool IsFollowing() { return FLAGS_use_secondary_db || FLAGS_open_as_follower; }

std::string CheckFollowingFlags() {
  if (FLAGS_use_secondary_db && FLAGS_open_as_follower) {
    return "--use_secondary_db excludes --open_as_follower";
  }
  if (FLAGS_open_as_follower == FLAGS_leader_path.empty()) {
    return "--open_as_follower and --leader_path need each other";
  }
  if (FLAGS_use_secondary_db && !FLAGS_use_existing_db) {
    return "--use_secondary_db: needs --use_existing_db";
  }
  if (FLAGS_secondary_update_interval < 1) {
    return "--secondary_update_interval: must be at least 1";
  }
  if (!FLAGS_use_secondary_db && !FLAGS_secondary_path.empty()) {
    return "--secondary_path: needs --use_secondary_db";
  }
  if (IsFollowing() && (FLAGS_readonly || FLAGS_transaction_db ||
                        FLAGS_optimistic_transaction_db)) {
    return "--use_secondary_db, --open_as_follower: no other kind of database";
  }
  return "";
}

Status OpenFollowing(const OpenRequest& request, OpenAnswer<DB>* answer) {
  if (FLAGS_open_as_follower) {
    return OpenFollower(request, FLAGS_leader_path, answer);
  }
  std::string own = FLAGS_secondary_path;
  if (own.empty()) {
    Status s = request.options.env->GetTestDirectory(&own);
    if (!s.ok()) return s;
    own += "/dbbench_secondary";
  }
  return request.families.empty()
             ? DB::OpenAsSecondary(request.options, request.path, own,
                                   &answer->db)
             : DB::OpenAsSecondary(request.options, request.path, own,
                                   request.families, &answer->handles,
                                   &answer->db);
}

CatchingUp::CatchingUp(DB* db) : db_(db) {
  thread_ = std::thread([this] { Run(); });
}

CatchingUp::~CatchingUp() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void CatchingUp::Run() {
  const std::chrono::seconds interval(FLAGS_secondary_update_interval);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!over_.wait_for(lock, interval, [this] { return is_over_; })) {
    lock.unlock();
    const Status s = db_->TryCatchUpWithPrimary();
    if (!s.ok()) {
      fprintf(stderr, "the secondary does not catch up: %s\n",
              s.ToString().c_str());
    }
    lock.lock();
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
