// A database with several column families, in a fresh directory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {

class FamiliesFixture : public DbFixture {
 protected:
  ~FamiliesFixture() override { CloseFamilies(); }

  // Opens with these families, each with the options of options_.
  Status TryOpenFamilies(const std::vector<std::string>& names) {
    CloseFamilies();
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options_));
    }
    return DB::Open(DBOptions(options_), path_, families, &handles_, &db_);
  }
  void OpenFamilies(const std::vector<std::string>& names) {
    ASSERT_OK(TryOpenFamilies(names));
  }
  void CloseFamilies() {
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_OK(db_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
    db_.reset();
  }
  // Makes a family; its handle goes to the end of handles_.
  void CreateFamily(const std::string& name) {
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_OK(
        db_->CreateColumnFamily(ColumnFamilyOptions(options_), name, &handle));
    handles_.push_back(handle);
  }

  using DbFixture::Get;
  Status PutIn(size_t family, const std::string& key,
               const std::string& value) {
    return db_->Put(WriteOptions(), handles_[family], key, value);
  }
  std::string GetFrom(size_t family, const std::string& key) {
    std::string value;
    const Status s = db_->Get(ReadOptions(), handles_[family], key, &value);
    if (s.IsNotFound()) return "NOT_FOUND";
    return s.ok() ? value : s.ToString();
  }
  std::string ScanOf(size_t family) {
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(ReadOptions(), handles_[family]));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  std::vector<ColumnFamilyHandle*> handles_;
};

}  // namespace ROCKSDB_NAMESPACE
