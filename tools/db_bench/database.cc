#include "tools/db_bench/database.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "rocksdb/env.h"
#include "rocksdb/iterator.h"
#include "tools/db_bench/flags.h"

DEFINE_bool(report_open_timing, false,
            "Print how long it took to open the database.");

DECLARE_int32(num_multi_db);
DECLARE_bool(use_secondary_db);

namespace ROCKSDB_NAMESPACE::bench {

Status Database::Open() {
  if (Status s = FindPath(); !s.ok()) return s;
  if (!FLAGS_use_existing_db && !IsFollowing()) return Renew();
  if (Status s = OpenAll(); !s.ok()) return s;
  return FLAGS_use_existing_keys ? ReadExistingKeys() : Status::OK();
}

Status Database::Renew() {
  if (Status s = Close(); !s.ok()) return s;
  for (const std::string& path : Paths()) {
    if (Status s = DestroyDB(path, options_); !s.ok()) return s;
  }
  return OpenAll();
}

Status Database::Close() {
  catching_up_.reset();
  targets_.Clear();
  Status result;
  for (const auto& db : dbs_) {
    const Status s = db->Close();
    if (result.ok()) result = s;
  }
  dbs_.clear();
  return result;
}

Status Database::FindPath() {
  path_ = FLAGS_db;
  if (!path_.empty()) return Status::OK();
  if (Status s = options_.env->GetTestDirectory(&path_); !s.ok()) return s;
  path_ += "/dbbench";
  return Status::OK();
}

std::vector<std::string> Database::Paths() const {
  if (FLAGS_num_multi_db == 0) return {path_};
  std::vector<std::string> paths;
  for (int i = 0; i < FLAGS_num_multi_db; ++i) {
    paths.push_back(path_ + "/" + std::to_string(i));
  }
  return paths;
}

Status Database::OpenAll() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  if (FLAGS_num_multi_db > 0) {
    Status s = options_.env->CreateDirIfMissing(path_);
    if (!s.ok()) return s;
  }
  for (const std::string& path : Paths()) {
    if (Status s = OpenOne(path); !s.ok()) return s;
  }
  if (FLAGS_report_open_timing) {
    const std::chrono::duration<double, std::milli> elapsed =
        Clock::now() - start;
    printf("OpenDb:     %.6f milliseconds\n", elapsed.count());
  }
  if (FLAGS_use_secondary_db) {
    catching_up_ = std::make_unique<CatchingUp>(db());
  }
  return Status::OK();
}

namespace {

// The answer of a database of one kind, as one of any.
template <typename AnyDb>
Status OpenAs(const std::function<Status(const OpenRequest&,
                                         OpenAnswer<AnyDb>*)>& opening,
              const OpenRequest& request, OpenAnswer<DB>* answer) {
  OpenAnswer<AnyDb> opened;
  Status s = opening(request, &opened);
  answer->db = opened.db;
  answer->handles = opened.handles;
  return s;
}

}  // namespace

Status Database::OpenOne(const std::string& path) {
  OpenRequest request;
  request.options = options_;
  request.path = path;
  if (FamilyCount() > 1) {
    std::vector<std::string> there;
    // An error says that there is no database yet.
    const bool is_there = DB::ListColumnFamilies(options_, path, &there).ok();
    const size_t count =
        std::max(FamiliesAtFirst(), is_there ? there.size() : 0);
    for (size_t i = 0; i < count; ++i) {
      request.families.emplace_back(FamilyName(i), options_);
    }
    request.options.create_missing_column_families = true;
  }
  OpenAnswer<DB> answer;
  Status s;
  if (IsFollowing()) {
    s = OpenFollowing(request, &answer);
  } else if (FLAGS_transaction_db) {
    s = OpenAs(openings_.open_transactions, request, &answer);
  } else if (FLAGS_optimistic_transaction_db) {
    s = OpenAs(openings_.open_optimistic, request, &answer);
  } else {
    s = FLAGS_readonly ? openings_.open_for_reads(request, &answer)
                       : openings_.open(request, &answer);
  }
  failed_to_open_ = !s.ok();
  if (!s.ok()) return s;
  dbs_.emplace_back(answer.db);
  targets_.Add(answer.db, answer.handles);
  return s;
}

Status Database::ReadExistingKeys() {
  ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> entry(db()->NewIterator(options));
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    existing_keys_.push_back(entry->key().ToString());
  }
  if (!entry->status().ok()) return entry->status();
  if (existing_keys_.empty()) {
    return Status::InvalidArgument("--use_existing_keys", "there are none");
  }
  fprintf(stderr, "%zu keys are in the database\n", existing_keys_.size());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
