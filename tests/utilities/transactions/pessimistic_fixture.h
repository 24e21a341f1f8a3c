// A TransactionDB in a directory of its own, for tests of its transactions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

// Joins operands with commas.
class CommaAppend final : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* result, Logger* /*logger*/) const override {
    *result = existing != nullptr ? existing->ToString() + "," : "";
    result->append(value.data(), value.size());
    return true;
  }
  const char* Name() const override { return "CommaAppend"; }
};

class PessimisticFixture : public ::testing::Test {
 protected:
  using TxnPtr = std::unique_ptr<Transaction>;

  PessimisticFixture() {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    txn_options_.lock_timeout = 0;
    txn_db_options_.default_lock_timeout = 20;
  }
  void SetUp() override { Open(); }
  void TearDown() override { Close(); }

  // With the families "default", "merges" (which has an operator) and "other".
  Status TryOpen() {
    ColumnFamilyOptions merges = options_;
    merges.merge_operator = std::make_shared<CommaAppend>();
    TransactionDB* db = nullptr;
    Status s = TransactionDB::Open(options_, txn_db_options_, path(),
                                   {{kDefaultColumnFamilyName, options_},
                                    {"merges", merges},
                                    {"other", options_}},
                                   &handles_, &db);
    db_.reset(db);
    return s;
  }
  void Open() {
    const Status s = TryOpen();
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      const std::unique_ptr<ColumnFamilyHandle> owned(handle);
    }
    handles_.clear();
    db_.reset();
  }
  void Reopen() {
    Close();
    Open();
  }
  // The files as another process would find them now. What nobody needs may go
  // while they are copied, and then it is done again.
  void CopyTo(const std::string& copy) {
    ASSERT_TRUE(db_->PauseBackgroundWork().ok());
    std::error_code failed;
    do {
      std::filesystem::remove_all(copy);
      std::filesystem::copy(path(), copy,
                            std::filesystem::copy_options::recursive, failed);
    } while (failed == std::errc::no_such_file_or_directory);
    ASSERT_FALSE(failed) << failed.message();
    ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  }
  // The process is gone; the operating system has all.
  void Kill() {
    const std::string copy = dir_.path() + "/copy";
    ASSERT_NO_FATAL_FAILURE(CopyTo(copy));
    Close();
    std::filesystem::remove_all(path());
    std::filesystem::rename(copy, path());
    Open();
  }
  std::string path() const { return dir_.path() + "/db"; }

  TxnPtr Begin() { return Begin(txn_options_); }
  TxnPtr Begin(const TransactionOptions& options) {
    return TxnPtr(db_->BeginTransaction(WriteOptions(), options));
  }
  TxnPtr BeginNamed(const std::string& name) {
    TxnPtr txn = Begin();
    const Status s = txn->SetName(name);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return txn;
  }

  Status PutOutside(const std::string& key, const std::string& value) {
    return db_->Put(WriteOptions(), key, value);
  }
  std::string Get(const std::string& key) {
    std::string value;
    return Text(db_->Get(ReadOptions(), key, &value), value);
  }
  std::string Get(Transaction* txn, const std::string& key) {
    std::string value;
    return Text(txn->Get(ReadOptions(), key, &value), value);
  }
  static std::string Text(const Status& s, const std::string& value) {
    return s.ok() ? value : s.IsNotFound() ? "-" : s.ToString();
  }
  // "key:S" or "key:X" with the number of holders, of all families.
  std::string Locks() {
    std::vector<std::string> all;
    for (const auto& [id, info] : db_->GetLockStatusData()) {
      all.push_back(info.key + (info.exclusive ? ":X" : ":S") +
                    std::to_string(info.ids.size()));
    }
    std::sort(all.begin(), all.end());
    std::string joined;
    for (const std::string& one : all) joined += one + " ";
    return joined;
  }

  ColumnFamilyHandle* merges() { return handles_[1]; }
  ColumnFamilyHandle* other() { return handles_[2]; }

  TempDir dir_{"pessimistic"};
  Options options_;
  TransactionDBOptions txn_db_options_;
  TransactionOptions txn_options_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<TransactionDB> db_;
};

}  // namespace ROCKSDB_NAMESPACE
