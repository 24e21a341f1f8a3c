#include "tools/db_bench/database.h"

#include <cstdio>

#include "rocksdb/env.h"
#include "rocksdb/iterator.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

Status Database::Open() {
  if (Status s = FindPath(); !s.ok()) return s;
  if (!FLAGS_use_existing_db) return Renew();
  if (Status s = OpenAtPath(); !s.ok()) return s;
  return FLAGS_use_existing_keys ? ReadExistingKeys() : Status::OK();
}

Status Database::Renew() {
  if (Status s = Close(); !s.ok()) return s;
  if (Status s = DestroyDB(path_, options_); !s.ok()) return s;
  return OpenAtPath();
}

Status Database::Close() {
  if (db_ == nullptr) return Status::OK();
  Status s = db_->Close();
  db_.reset();
  return s;
}

Status Database::FindPath() {
  path_ = FLAGS_db;
  if (!path_.empty()) return Status::OK();
  if (Status s = options_.env->GetTestDirectory(&path_); !s.ok()) return s;
  path_ += "/dbbench";
  return Status::OK();
}

Status Database::OpenAtPath() {
  DB* db = nullptr;
  Status s;
  if (FLAGS_transaction_db) {
    TransactionDB* opened = nullptr;
    s = openings_.open_transactions(options_, path_, &opened);
    db = opened;
  } else if (FLAGS_optimistic_transaction_db) {
    OptimisticTransactionDB* opened = nullptr;
    s = openings_.open_optimistic(options_, path_, &opened);
    db = opened;
  } else {
    s = FLAGS_readonly ? openings_.open_for_reads(options_, path_, &db)
                       : openings_.open(options_, path_, &db);
  }
  db_.reset(db);
  return s;
}

Status Database::ReadExistingKeys() {
  ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> entry(db_->NewIterator(options));
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
