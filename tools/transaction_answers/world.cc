#include "tools/transaction_answers/world.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"

namespace transaction_answers {

namespace {

class JoinWithCommas final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* result, rocksdb::Logger* /*logger*/) const override {
    *result = existing != nullptr ? existing->ToString() + "," : "";
    result->append(value.data(), value.size());
    return true;
  }
  const char* Name() const override { return "CommaAppend"; }
};

std::string ValueOr(const Status& s, const std::string& value) {
  return s.ok() ? value : s.IsNotFound() ? "-" : NameOfStatus(s);
}

}  // namespace

std::string NameOfStatus(const Status& s) {
  static const char* const kNames[] = {"OK",
                                       "NotFound",
                                       "Corruption",
                                       "NotSupported",
                                       "Invalid",
                                       "IOError",
                                       "MergeInProgress",
                                       "Incomplete",
                                       "Shutdown",
                                       "TimedOut",
                                       "Aborted",
                                       "Busy",
                                       "Expired",
                                       "TryAgain",
                                       "CompactionTooLarge",
                                       "FamilyDropped"};
  const auto code = static_cast<size_t>(s.code());
  std::string name =
      code < std::size(kNames) ? kNames[code] : std::to_string(code);
  if (s.subcode() != Status::SubCode::kNone) {
    name += "/" + std::to_string(static_cast<int>(s.subcode()));
  }
  return name;
}

void Must(const Status& s) {
  if (s.ok()) return;
  std::fprintf(stderr, "%s\n", s.ToString().c_str());
  std::exit(1);
}

World::World(std::string path, std::string scene)
    : path_(std::move(path)), scene_(std::move(scene)) {
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.compression = rocksdb::kNoCompression;
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  txn_options.lock_timeout = 0;
  db_options.default_lock_timeout = 20;
}

Status World::TryOpen() {
  rocksdb::ColumnFamilyOptions with_operator = options;
  with_operator.merge_operator = std::make_shared<JoinWithCommas>();
  TransactionDB* db = nullptr;
  Status s = TransactionDB::Open(options, db_options, path_,
                                 {{rocksdb::kDefaultColumnFamilyName, options},
                                  {"merges", with_operator},
                                  {"other", options}},
                                 &handles_, &db);
  db_.reset(db);
  if (!s.ok()) handles_.clear();
  return s;
}

void World::Close() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    Must(db_->DestroyColumnFamilyHandle(handle));
  }
  handles_.clear();
  db_.reset();
}

TxnPtr World::BeginNamed(const std::string& name) {
  TxnPtr txn = Begin();
  Must(txn->SetName(name));
  return txn;
}

void World::FlushAll() { Must(db_->Flush(rocksdb::FlushOptions(), handles_)); }

std::string World::Get(const std::string& key) {
  std::string value;
  return ValueOr(db_->Get(ReadOptions(), key, &value), value);
}

std::string World::Get(Transaction* txn, const std::string& key) {
  std::string value;
  return ValueOr(txn->Get(ReadOptions(), key, &value), value);
}

std::string World::Get(rocksdb::ColumnFamilyHandle* family,
                       const std::string& key) {
  std::string value;
  return ValueOr(db_->Get(ReadOptions(), family, key, &value), value);
}

std::string World::Locks() {
  std::vector<std::string> all;
  for (const auto& [id, info] : db_->GetLockStatusData()) {
    all.push_back(info.key + (info.exclusive ? ":X" : ":S") +
                  std::to_string(info.ids.size()));
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& one : all) text += one + " ";
  return text;
}

std::string World::Prepared() {
  std::vector<Transaction*> found;
  db_->GetAllPreparedTransactions(&found);
  std::vector<std::string> names;
  for (const Transaction* txn : found) names.push_back(txn->GetName());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

std::string World::All() {
  std::string text;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    text += handle->GetName() + ":";
    const std::unique_ptr<rocksdb::Iterator> it(
        db_->NewIterator(ReadOptions(), handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += " " + it->key().ToString() + "=" + it->value().ToString();
    }
    if (!it->status().ok()) text += " " + NameOfStatus(it->status());
    text += "; ";
  }
  return text;
}

void World::Say(const std::string& call, const std::string& answer) {
  // No line ends with a blank.
  const size_t size = answer.find_last_not_of(' ') + 1;
  std::printf("%s\t%s\t%s\n", scene_.c_str(), call.c_str(),
              size > 0 ? answer.substr(0, size).c_str() : "(none)");
  std::fflush(stdout);
}

}  // namespace transaction_answers
