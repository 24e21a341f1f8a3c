// Random operations on a database and on an ordered map, and every kind of
// read, compared with the map.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

using Model = std::map<std::string, std::string>;

class ModelRun {
 public:
  ModelRun(DB* db, uint64_t seed, Model* model)
      : db_(db), random_(seed), model_(model) {}
  // Some keys get a second column; the model knows the default one.
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
        return db_->Delete(options, key);
      }
      case 4:
      case 5: {
        const std::string operand = "m" + Value();
        const auto [at, is_new] = model_->emplace(key, operand);
        if (!is_new) at->second += "," + operand;
        return db_->Merge(options, key, operand);
      }
      case 6:
        return Batch();
      case 7:
        if (writes_entities_) return Entity(key);
        [[fallthrough]];
      default: {
        const std::string value = "v" + Value();
        (*model_)[key] = value;
        return db_->Put(options, key, value);
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

 private:
  void CheckWalks(const Model& model, const ReadOptions& options) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    auto expected = model.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++expected) {
      ASSERT_NE(expected, model.end()) << it->key().ToString();
      ASSERT_EQ(it->key().ToString(), expected->first);
      ASSERT_TRUE(it->PrepareValue());
      ASSERT_EQ(it->value().ToString(), expected->second) << expected->first;
      ASSERT_EQ(it->columns().front().value(), it->value());
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(expected, model.end());
    auto backward = model.rbegin();
    for (it->SeekToLast(); it->Valid(); it->Prev(), ++backward) {
      ASSERT_NE(backward, model.rend());
      ASSERT_EQ(it->key().ToString(), backward->first);
      ASSERT_TRUE(it->PrepareValue());
      ASSERT_EQ(it->value().ToString(), backward->second);
    }
    ASSERT_EQ(backward, model.rend());
    CheckSeeks(model, it.get());
  }

  Status RangeDelete() {
    std::string begin = Key(), end = Key();
    if (end < begin) std::swap(begin, end);
    model_->erase(model_->lower_bound(begin), model_->lower_bound(end));
    return db_->DeleteRange(WriteOptions(), begin, end);
  }

  Status Entity(const std::string& key) {
    const std::string value = "e" + Value();
    (*model_)[key] = value;
    return db_->PutEntity(
        WriteOptions(), db_->DefaultColumnFamily(), key,
        {{kDefaultWideColumnName, value}, {"second", "beside " + value}});
  }

  Status Batch() {
    WriteBatch batch;
    for (int i = 0; i < 5; ++i) {
      const std::string key = Key(), value = "b" + Value();
      Status s = batch.Put(key, value);
      if (!s.ok()) return s;
      (*model_)[key] = value;
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
        ASSERT_EQ(it->value().ToString(), at->second);
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
      const std::unique_ptr<Iterator> it(db_->NewIterator(bounded));
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
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses = db_->MultiGet(options, keys, &values);
    std::vector<PinnableWideColumns> columns(names.size());
    std::vector<Status> entities(names.size());
    db_->MultiGetEntity(options, db_->DefaultColumnFamily(), names.size(),
                        keys.data(), columns.data(), entities.data());
    for (size_t i = 0; i < names.size(); ++i) {
      std::string value;
      const Status s = db_->Get(options, names[i], &value);
      const auto expected = model.find(names[i]);
      ASSERT_EQ(s.ok(), expected != model.end()) << names[i] << s.ToString();
      ASSERT_EQ(statuses[i].ok(), s.ok()) << statuses[i].ToString();
      ASSERT_EQ(entities[i].ok(), s.ok()) << entities[i].ToString();
      if (!s.ok()) continue;
      ASSERT_TRUE(db_->KeyMayExist(options, names[i], nullptr)) << names[i];
      ASSERT_EQ(columns[i].columns().front().value().ToString(), value);
      ASSERT_EQ(value, expected->second) << names[i];
      ASSERT_EQ(values[i], value);
    }
  }

  DB* db_;
  Random64 random_;
  Model* model_;
  bool writes_entities_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
