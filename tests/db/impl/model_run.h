// Random operations on a database and on an ordered map, and every kind of
// read, compared with the map.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

struct ModelValue {
  std::string first;                  // the value, or the default column
  std::optional<std::string> second;  // an entity's other column
};
using Model = std::map<std::string, ModelValue>;

class ModelRun {
 public:
  // Null `family`: the run is on the default family.
  ModelRun(DB* db, uint64_t seed, Model* model,
           ColumnFamilyHandle* family = nullptr)
      : db_(db),
        family_(family != nullptr ? family : db->DefaultColumnFamily()),
        random_(seed),
        model_(model) {}
  // Some keys get a second column.
  void WriteEntities() { writes_entities_ = true; }

  std::string Key() {
    return "key" + std::to_string(1000 + random_.Uniform(600));
  }
  std::string Value() {
    return std::string(random_.Uniform(200), 'a' + char(random_.Uniform(26))) +
           std::to_string(random_.Next() % 1000);
  }

  Status Step() {
    const WriteOptions options;
    const std::string key = Key();
    switch (random_.Uniform(20)) {
      case 0:
        return RangeDelete();
      case 1:
      case 2:
      case 3: {
        model_->erase(key);
        return db_->Delete(options, family_, key);
      }
      case 4:
      case 5: {
        const std::string operand = "m" + Value();
        const auto [at, is_new] = model_->emplace(key, ModelValue{operand, {}});
        if (!is_new) at->second.first += "," + operand;
        return db_->Merge(options, family_, key, operand);
      }
      case 6:
        return Batch();
      case 7:
        if (writes_entities_) return Entity(key);
        [[fallthrough]];
      default: {
        const std::string value = "v" + Value();
        (*model_)[key] = {value, {}};
        return db_->Put(options, family_, key, value);
      }
    }
  }

  // Every kind of read.
  void Check(const Model& model, const Snapshot* snapshot) {
    ReadOptions options;
    options.snapshot = snapshot;
    ASSERT_NO_FATAL_FAILURE(CheckWalks(model, options));
    ReadOptions ahead = options;
    ahead.async_io = true;
    ahead.adaptive_readahead = true;
    ahead.fill_cache = false;
    ASSERT_NO_FATAL_FAILURE(CheckWalks(model, ahead));
    ReadOptions pinned = options;
    pinned.pin_data = true;
    pinned.readahead_size = 16 << 10;
    ASSERT_NO_FATAL_FAILURE(CheckWalks(model, pinned));
    if (snapshot == nullptr) {
      ReadOptions tailing = options;
      tailing.tailing = true;
      ASSERT_NO_FATAL_FAILURE(CheckWalks(model, tailing));
    }
    CheckLookups(model, options);
    CheckLookups(model, ahead);
  }
  // With these options alone.
  void CheckOnce(const Model& model, const ReadOptions& options) {
    ASSERT_NO_FATAL_FAILURE(CheckWalks(model, options));
    ASSERT_NO_FATAL_FAILURE(CheckBounds(model, options));
    ASSERT_NO_FATAL_FAILURE(CheckLookups(model, options));
  }
  static std::string TextOf(const WideColumns& columns) {
    std::string text;
    for (const WideColumn& column : columns) {
      text += column.name().ToString() + ":" + column.value().ToString() + ";";
    }
    return text;
  }
  static std::string TextOf(const ModelValue& value) {
    const std::string text = ":" + value.first + ";";
    return value.second ? text + "second:" + *value.second + ";" : text;
  }
  // What a cursor over the whole family shows.
  void CheckCursor(const Model& model, Iterator* it) {
    auto expected = model.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++expected) {
      ASSERT_NE(expected, model.end()) << it->key().ToString();
      ASSERT_EQ(it->key().ToString(), expected->first);
      ASSERT_TRUE(it->PrepareValue());
      ASSERT_EQ(it->value().ToString(), expected->second.first);
      ASSERT_EQ(TextOf(it->columns()), TextOf(expected->second));
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(expected, model.end());
    auto backward = model.rbegin();
    for (it->SeekToLast(); it->Valid(); it->Prev(), ++backward) {
      ASSERT_NE(backward, model.rend());
      ASSERT_EQ(it->key().ToString(), backward->first);
      ASSERT_TRUE(it->PrepareValue());
      ASSERT_EQ(it->value().ToString(), backward->second.first);
      ASSERT_EQ(TextOf(it->columns()), TextOf(backward->second));
    }
    ASSERT_EQ(backward, model.rend());
    CheckSeeks(model, it);
  }

 private:
  void CheckWalks(const Model& model, const ReadOptions& options) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(options, family_));
    CheckCursor(model, it.get());
  }

  Status RangeDelete() {
    std::string begin = Key(), end = Key();
    if (end < begin) std::swap(begin, end);
    model_->erase(model_->lower_bound(begin), model_->lower_bound(end));
    return db_->DeleteRange(WriteOptions(), family_, begin, end);
  }

  Status Entity(const std::string& key) {
    const std::string first = "e" + Value(), second = "s" + Value();
    (*model_)[key] = {first, second};
    return db_->PutEntity(
        WriteOptions(), family_, key,
        {{kDefaultWideColumnName, first}, {"second", second}});
  }

  Status Batch() {
    WriteBatch batch;
    for (int i = 0; i < 5; ++i) {
      const std::string key = Key(), value = "b" + Value();
      Status s = batch.Put(family_, key, value);
      if (!s.ok()) return s;
      (*model_)[key] = {value, {}};
    }
    return db_->Write(WriteOptions(), &batch);
  }

  void CheckSeeks(const Model& model, Iterator* it) {
    for (int i = 0; i < 20; ++i) {
      const std::string target = Key() + (random_.OneIn(2) ? "" : "x");
      it->Seek(target);
      auto at = model.lower_bound(target);
      ASSERT_EQ(it->Valid(), at != model.end()) << target;
      // A walk that turns now and then.
      for (int step = 0; step < 8 && it->Valid(); ++step) {
        ASSERT_EQ(it->key().ToString(), at->first);
        ASSERT_TRUE(it->PrepareValue());
        ASSERT_EQ(it->value().ToString(), at->second.first);
        if (random_.OneIn(2)) {
          it->Next();
          ++at;
        } else {
          it->Prev();
          if (at == model.begin()) {
            ASSERT_FALSE(it->Valid());
            break;
          }
          --at;
        }
        ASSERT_EQ(it->Valid(), at != model.end());
      }
      it->SeekForPrev(target);
      auto after = model.upper_bound(target);
      ASSERT_EQ(it->Valid(), after != model.begin()) << target;
      if (it->Valid()) {
        ASSERT_EQ(it->key().ToString(), std::prev(after)->first);
      }
    }
  }

  void CheckBounds(const Model& model, const ReadOptions& options) {
    for (int i = 0; i < 4; ++i) {
      std::string low = Key(), high = Key() + (random_.OneIn(2) ? "" : "x");
      if (high < low) std::swap(low, high);
      const Slice lower(low), upper(high);
      ReadOptions bounded = options;
      if (i != 1) bounded.iterate_lower_bound = &lower;
      if (i != 2) bounded.iterate_upper_bound = &upper;
      const auto first = i != 1 ? model.lower_bound(low) : model.begin();
      const auto end = i != 2 ? model.lower_bound(high) : model.end();
      const std::unique_ptr<Iterator> it(db_->NewIterator(bounded, family_));
      auto at = model.lower_bound(low);
      for (it->Seek(low); it->Valid(); it->Next(), ++at) {
        ASSERT_NE(at, end) << it->key().ToString();
        ASSERT_EQ(it->key().ToString(), at->first);
      }
      ASSERT_OK(it->status());
      ASSERT_EQ(at, end);
      for (it->SeekToLast(), at = end; it->Valid(); it->Prev()) {
        ASSERT_NE(at, first) << it->key().ToString();
        ASSERT_EQ(it->key().ToString(), (--at)->first);
      }
      ASSERT_OK(it->status());
      ASSERT_EQ(at, first);
    }
  }

  void CheckLookups(const Model& model, const ReadOptions& options) {
    std::vector<std::string> names;
    for (int i = 0; i < 50; ++i) names.push_back(Key());
    const bool is_sorted = random_.OneIn(2);
    if (is_sorted) std::sort(names.begin(), names.end());
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableSlice> values(names.size());
    std::vector<Status> statuses(names.size());
    db_->MultiGet(options, family_, names.size(), keys.data(), values.data(),
                  statuses.data(), is_sorted);
    std::vector<PinnableWideColumns> columns(names.size());
    std::vector<Status> entities(names.size());
    db_->MultiGetEntity(options, family_, names.size(), keys.data(),
                        columns.data(), entities.data());
    for (size_t i = 0; i < names.size(); ++i) {
      const auto expected = model.find(names[i]);
      const bool is_there = expected != model.end();
      ASSERT_EQ(statuses[i].ok(), is_there) << statuses[i].ToString();
      ASSERT_EQ(entities[i].ok(), is_there) << entities[i].ToString();
      ASSERT_NO_FATAL_FAILURE(CheckLookup(
          names[i], is_there ? &expected->second : nullptr, options));
      if (!is_there) continue;
      ASSERT_EQ(values[i], expected->second.first);
      ASSERT_EQ(TextOf(columns[i].columns()), TextOf(expected->second));
    }
  }

  // `expected`: null: the key is not there.
  void CheckLookup(const std::string& key, const ModelValue* expected,
                   const ReadOptions& options) {
    PinnableSlice value;
    PinnableWideColumns columns;
    std::vector<PinnableSlice> operands(100);
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 100;
    int count = 0;
    const Status found[] = {
        db_->Get(options, family_, key, &value),
        db_->GetEntity(options, family_, key, &columns),
        db_->GetMergeOperands(options, family_, key, operands.data(), &limit,
                              &count)};
    for (const Status& s : found) {
      ASSERT_EQ(s.ok(), expected != nullptr) << key << " " << s.ToString();
      ASSERT_TRUE(s.ok() || s.IsNotFound()) << key << " " << s.ToString();
    }
    if (expected == nullptr) return;
    ASSERT_EQ(value, expected->first) << key;
    ASSERT_EQ(TextOf(columns.columns()), TextOf(*expected)) << key;
    std::string joined;
    for (int i = 0; i < count; ++i) {
      joined += (i > 0 ? "," : "") + operands[i].ToString();
    }
    ASSERT_EQ(joined, expected->first) << key;
    bool has_value = false;
    std::string maybe;
    ASSERT_TRUE(db_->KeyMayExist(options, family_, key, &maybe, &has_value))
        << key;
    if (has_value) {
      ASSERT_EQ(maybe, expected->first) << key;
    }
  }

  DB* db_;
  ColumnFamilyHandle* family_;
  Random64 random_;
  Model* model_;
  bool writes_entities_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
