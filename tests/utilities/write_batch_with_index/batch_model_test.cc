// Random updates of an indexed batch over a database of two families, against
// ordered maps.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/families_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Append : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    *result =
        (existing != nullptr ? existing->ToString() : "") + value.ToString();
    return true;
  }
  const char* Name() const override { return "Append"; }
};

// Columns by name; a plain value is the default column.
using Value = std::map<std::string, std::string>;
using Model = std::map<std::string, Value>;

struct Update {
  WriteType type = kUnknownRecord;
  Value value;
};

void Apply(const std::string& key, const Update& update, Model* model) {
  switch (update.type) {
    case kPutRecord:
    case kPutEntityRecord:
      (*model)[key] = update.value;
      break;
    case kMergeRecord:
      (*model)[key][""] += update.value.at("");
      break;
    default:
      model->erase(key);
  }
}

struct Param {
  bool overwrite;
  bool flushes;
};

class BatchModelTest : public FamiliesFixture,
                       public ::testing::WithParamInterface<Param> {
 protected:
  static constexpr int kFamilies = 2;
  static constexpr int kKeys = 12;

  void SetUp() override {
    options_.merge_operator = std::make_shared<Append>();
    options_.create_missing_column_families = true;
    OpenFamilies({"default", "other"});
    batch_ = std::make_unique<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                   GetParam().overwrite);
  }
  std::string RandomKey() { return std::to_string(random_.Uniform(kKeys)); }

  Update RandomUpdate() {
    Update update;
    const std::string text(1, static_cast<char>('a' + random_.Uniform(26)));
    switch (random_.Uniform(4)) {
      case 0:
        update = {kPutRecord, {{"", text}}};
        break;
      case 1:
        update = {kMergeRecord, {{"", text}}};
        break;
      case 2:
        update = {kPutEntityRecord, {{"", text}, {"x", text + text}}};
        if (random_.Uniform(2) == 0) update.value.erase("");
        break;
      default:
        update = {kDeleteRecord, {}};
    }
    return update;
  }
  static WideColumns ColumnsOf(const Value& value) {
    WideColumns columns;
    for (const auto& [name, text] : value) columns.emplace_back(name, text);
    return columns;
  }
  Status AddTo(WriteBatchBase* batch, ColumnFamilyHandle* family,
               const std::string& key, const Update& update) {
    switch (update.type) {
      case kPutRecord:
        return batch->Put(family, key, update.value.at(""));
      case kMergeRecord:
        return batch->Merge(family, key, update.value.at(""));
      case kPutEntityRecord:
        return batch->PutEntity(family, key, ColumnsOf(update.value));
      default:
        return batch->Delete(family, key);
    }
  }
  void FillDatabase(int count) {
    for (int i = 0; i < count; ++i) {
      const size_t family = random_.Uniform(kFamilies);
      const std::string key = RandomKey();
      const Update update = RandomUpdate();
      WriteBatch one;
      ASSERT_OK(AddTo(&one, handles_[family], key, update));
      ASSERT_OK(db_->Write(WriteOptions(), &one));
      Apply(key, update, &below_[family]);
      if (GetParam().flushes && random_.Uniform(8) == 0) {
        ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
      }
    }
  }
  void AddToBatch() {
    const size_t family = random_.Uniform(kFamilies);
    const std::string key = RandomKey();
    const Update update = RandomUpdate();
    ASSERT_OK(AddTo(batch_.get(), handles_[family], key, update));
    updates_.push_back({family, key, update});
  }
  Model Expected(size_t family) const {
    Model model = below_[family];
    for (const Added& added : updates_) {
      if (added.family == family) Apply(added.key, added.update, &model);
    }
    return model;
  }

  static Value ValueOf(const WideColumns& columns) {
    Value value;
    for (const WideColumn& column : columns) {
      value[column.name().ToString()] = column.value().ToString();
    }
    return value;
  }
  void CheckReads(size_t family, const Model& model) {
    std::vector<std::string> names;
    for (int i = 0; i < kKeys; ++i) names.push_back(std::to_string(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableWideColumns> results(keys.size());
    std::vector<Status> statuses(keys.size());
    batch_->MultiGetEntityFromBatchAndDB(
        db_.get(), ReadOptions(), handles_[family], keys.size(), keys.data(),
        results.data(), statuses.data(), false);
    for (size_t i = 0; i < keys.size(); ++i) {
      std::string value;
      const Status s = batch_->GetFromBatchAndDB(
          db_.get(), ReadOptions(), handles_[family], keys[i], &value);
      const auto wanted = model.find(names[i]);
      ASSERT_EQ(s.ok(), wanted != model.end()) << s.ToString();
      ASSERT_EQ(statuses[i].ok(), s.ok()) << statuses[i].ToString();
      if (!s.ok()) {
        ASSERT_TRUE(s.IsNotFound() && statuses[i].IsNotFound());
        continue;
      }
      ASSERT_EQ(ValueOf(results[i].columns()), wanted->second);
      const auto plain = wanted->second.find("");
      ASSERT_EQ(value, plain != wanted->second.end() ? plain->second : "");
    }
  }
  // A walk that turns about at random.
  void CheckWalk(size_t family, const Model& model) {
    const std::unique_ptr<Iterator> it(batch_->NewIteratorWithBase(
        handles_[family], db_->NewIterator(ReadOptions(), handles_[family])));
    auto place = model.end();
    for (int i = 0; i < 40; ++i) {
      const std::string target = RandomKey();
      const bool is_on = place != model.end();
      switch (is_on ? random_.Uniform(8) : random_.Uniform(4)) {
        case 0:
          it->SeekToFirst();
          place = model.begin();
          break;
        case 1:
          it->SeekToLast();
          place = model.empty() ? model.end() : std::prev(model.end());
          break;
        case 2:
          it->Seek(target);
          place = model.lower_bound(target);
          break;
        case 3:
          it->SeekForPrev(target);
          place = model.upper_bound(target);
          place = place == model.begin() ? model.end() : std::prev(place);
          break;
        case 4:
        case 5:
          it->Prev();
          place = place == model.begin() ? model.end() : std::prev(place);
          break;
        default:
          it->Next();
          ++place;
      }
      ASSERT_OK(it->status());
      ASSERT_EQ(it->Valid(), place != model.end());
      if (!it->Valid()) continue;
      ASSERT_EQ(it->key().ToString(), place->first);
      ASSERT_EQ(ValueOf(it->columns()), place->second);
    }
  }
  void Check() {
    for (size_t family = 0; family < kFamilies; ++family) {
      const Model model = Expected(family);
      CheckReads(family, model);
      CheckWalk(family, model);
    }
  }

  struct Added {
    size_t family;
    std::string key;
    Update update;
  };
  Random64 random_{20240611};
  Model below_[kFamilies];
  std::vector<Added> updates_;
  std::vector<size_t> save_points_;
  std::unique_ptr<WriteBatchWithIndex> batch_;
};

TEST_P(BatchModelTest, RandomUpdates) {
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    FillDatabase(15);
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(i);
      const uint64_t what = random_.Uniform(12);
      if (what == 0) {
        batch_->SetSavePoint();
        save_points_.push_back(updates_.size());
      } else if (what == 1) {
        const Status s = batch_->RollbackToSavePoint();
        ASSERT_EQ(s.ok(), !save_points_.empty());
        if (s.ok()) updates_.resize(save_points_.back());
        if (s.ok()) save_points_.pop_back();
      } else if (what == 2) {
        ASSERT_EQ(batch_->PopSavePoint().ok(), !save_points_.empty());
        if (!save_points_.empty()) save_points_.pop_back();
      } else {
        AddToBatch();
      }
      if (i % 4 == 0) Check();
    }
    Check();
    ASSERT_OK(db_->Write(WriteOptions(), batch_->GetWriteBatch()));
    for (size_t family = 0; family < kFamilies; ++family) {
      below_[family] = Expected(family);
    }
    batch_->Clear();
    updates_.clear();
    save_points_.clear();
    Check();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Batches, BatchModelTest,
    ::testing::Values(Param{false, false}, Param{false, true},
                      Param{true, false}, Param{true, true}),
    [](const auto& info) {
      return std::string(info.param.overwrite ? "Overwrite" : "All") +
             (info.param.flushes ? "Tables" : "Memory");
    });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
