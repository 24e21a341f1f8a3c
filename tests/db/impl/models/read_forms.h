// The forms of reading that take several keys, ranges or families, and the read
// options that narrow what is read: what each answers, compared with ordered
// maps.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/model_run.h"
#include "tests/testing/lent_memory.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

struct ModelFamily {
  ColumnFamilyHandle* handle = nullptr;
  const Model* model = nullptr;
};

class ReadForms {
 public:
  // The default family comes first. `prefixes`: as the families are opened
  // with; may be null.
  ReadForms(DB* db, std::vector<ModelFamily> families,
            const SliceTransform* prefixes, uint64_t seed)
      : db_(db),
        families_(std::move(families)),
        prefixes_(prefixes),
        random_(seed) {}

  // With about every `one_in`-th form.
  void CheckSome(uint64_t one_in, const ReadOptions& options) {
    using Form = void (ReadForms::*)(const ReadOptions&);
    constexpr Form kForms[] = {
        &ReadForms::CheckVectors,     &ReadForms::CheckEntities,
        &ReadForms::CheckLazy,        &ReadForms::CheckGroups,
        &ReadForms::CheckCoalescing,  &ReadForms::CheckGroupCursor,
        &ReadForms::CheckScans,       &ReadForms::CheckPrefixes,
        &ReadForms::CheckCacheTier,   &ReadForms::CheckPersistedTier,
        &ReadForms::CheckTableFilter, &ReadForms::CheckRangesIgnored,
        &ReadForms::CheckFewSkipped,  &ReadForms::CheckLent};
    for (size_t i = 0; i < std::size(kForms); ++i) {
      if (!random_.OneIn(one_in)) continue;
      SCOPED_TRACE("form " + std::to_string(i));
      ASSERT_NO_FATAL_FAILURE((this->*kForms[i])(options));
    }
  }

 private:
  using Texts = std::map<std::string, std::string>;
  using Show = std::function<std::string()>;

  std::string Key() {
    return "key" + std::to_string(1000 + random_.Uniform(600));
  }
  const ModelFamily& AnyFamily() {
    return families_[random_.Uniform(families_.size())];
  }
  // null: the key is not there.
  static const ModelValue* Find(const ModelFamily& family,
                                const std::string& key) {
    const auto found = family.model->find(key);
    return found == family.model->end() ? nullptr : &found->second;
  }
  static std::string TextOf(const ModelValue* value) {
    return value == nullptr ? "none" : ModelRun::TextOf(*value);
  }
  static std::string TextOf(const Status& s, const WideColumns& columns) {
    if (s.IsNotFound()) return "none";
    return s.ok() ? ModelRun::TextOf(columns) : s.ToString();
  }
  static std::string ValueText(const ModelValue* value) {
    return value == nullptr ? "none" : value->first;
  }
  static std::string ValueText(const Status& s, const Slice& value) {
    if (s.IsNotFound()) return "none";
    return s.ok() ? value.ToString() : s.ToString();
  }

  // Keys and the families that they are looked up in.
  struct Lookups {
    std::vector<ModelFamily> families;
    std::vector<ColumnFamilyHandle*> handles;
    std::vector<std::string> names;
    std::vector<Slice> keys;
  };
  Lookups DrawLookups() {
    Lookups drawn;
    for (int i = 0; i < 30; ++i) {
      drawn.families.push_back(AnyFamily());
      drawn.handles.push_back(drawn.families.back().handle);
      drawn.names.push_back(Key());
    }
    drawn.keys.assign(drawn.names.begin(), drawn.names.end());
    return drawn;
  }

  void CheckVectors(const ReadOptions& options) {
    Lookups drawn = DrawLookups();
    const size_t count = drawn.keys.size();
    std::vector<std::string> values, more, timestamps(count, "old");
    const auto plain = db_->MultiGet(options, drawn.keys, &values);
    const auto spread =
        db_->MultiGet(options, drawn.handles, drawn.keys, &more, &timestamps);
    std::vector<PinnableSlice> pinned(count);
    std::vector<Status> statuses(count);
    db_->MultiGet(options, count, drawn.handles.data(), drawn.keys.data(),
                  pinned.data(), statuses.data());
    for (size_t i = 0; i < count; ++i) {
      const std::string& key = drawn.names[i];
      const std::string expected = ValueText(Find(drawn.families[i], key));
      ASSERT_EQ(ValueText(plain[i], values[i]),
                ValueText(Find(families_.front(), key)));
      ASSERT_EQ(ValueText(spread[i], more[i]), expected);
      ASSERT_EQ(timestamps[i], "");
      ASSERT_EQ(ValueText(statuses[i], pinned[i]), expected);
    }
  }

  void CheckEntities(const ReadOptions& options) {
    Lookups drawn = DrawLookups();
    const size_t count = drawn.keys.size();
    std::vector<PinnableWideColumns> columns(count);
    std::vector<Status> statuses(count);
    db_->MultiGetEntity(options, count, drawn.handles.data(), drawn.keys.data(),
                        columns.data(), statuses.data());
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(TextOf(statuses[i], columns[i].columns()),
                TextOf(Find(drawn.families[i], drawn.names[i])));
    }
  }

  // Columns of all keys, resolved together.
  void CheckLazy(const ReadOptions& options) {
    const Lookups drawn = DrawLookups();
    const ModelFamily& family = families_[random_.Uniform(families_.size())];
    const size_t count = drawn.keys.size();
    LazyWideColumnsBatch batch;
    std::vector<Status> statuses(count);
    db_->MultiGetEntityLazy(options, family.handle, count, drawn.keys.data(),
                            &batch, statuses.data());
    ASSERT_EQ(batch.size(), count);
    std::vector<LazyColumnReadRequest> reads;
    for (const LazyWideColumns& columns : batch) {
      for (const LazyWideColumn& column : columns) {
        reads.push_back({.column = &column});
      }
    }
    std::vector<PinnableSlice> values(reads.size());
    for (size_t i = 0; i < reads.size(); ++i) reads[i].result = &values[i];
    ASSERT_OK(batch.MultiResolve(reads));
    size_t next = 0;
    for (size_t i = 0; i < count; ++i) {
      WideColumns all;
      for (const LazyWideColumn& column : batch[i]) {
        all.emplace_back(column.name(), values[next++]);
      }
      const std::string expected = TextOf(Find(family, drawn.names[i]));
      ASSERT_EQ(TextOf(statuses[i], all), expected);
      LazyWideColumns one;
      const Status s =
          db_->GetEntityLazy(options, family.handle, drawn.keys[i], &one);
      ASSERT_EQ(s.code(), statuses[i].code());
      ASSERT_EQ(one.size(), batch[i].size());
    }
  }

  void CheckGroups(const ReadOptions& options) {
    Lookups drawn = DrawLookups();
    const size_t count = drawn.keys.size();
    PinnableAttributeGroups all;
    for (const ModelFamily& family : families_) all.emplace_back(family.handle);
    std::vector<PinnableAttributeGroups> many(count);
    for (PinnableAttributeGroups& groups : many) {
      for (const ModelFamily& family : families_) {
        groups.emplace_back(family.handle);
      }
    }
    db_->MultiGetEntity(options, count, drawn.keys.data(), many.data());
    for (size_t i = 0; i < count; ++i) {
      ASSERT_OK(db_->GetEntity(options, drawn.keys[i], &all));
      for (size_t j = 0; j < families_.size(); ++j) {
        const std::string expected = TextOf(Find(families_[j], drawn.names[i]));
        ASSERT_EQ(TextOf(many[i][j].status(), many[i][j].columns()), expected);
        ASSERT_EQ(TextOf(all[j].status(), all[j].columns()), expected);
      }
    }
  }

  // What a walk has come to: the end, or as far as it could.
  void CheckStop(const IteratorBase& it, bool is_at_end) {
    if (may_stop_ && it.status().IsIncomplete()) return;
    ASSERT_OK(it.status());
    ASSERT_TRUE(is_at_end);
  }
  // `show`: what the cursor stands on.
  void CheckCursor(const Texts& expected, const Show& show, IteratorBase* it) {
    auto at = expected.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++at) {
      ASSERT_NE(at, expected.end()) << it->key().ToString();
      ASSERT_EQ(it->key().ToString(), at->first);
      if (!it->PrepareValue()) break;
      ASSERT_EQ(show(), at->second);
    }
    ASSERT_NO_FATAL_FAILURE(CheckStop(*it, at == expected.end()));
    auto back = expected.rbegin();
    for (it->SeekToLast(); it->Valid(); it->Prev(), ++back) {
      ASSERT_NE(back, expected.rend()) << it->key().ToString();
      ASSERT_EQ(it->key().ToString(), back->first);
      if (!it->PrepareValue()) break;
      ASSERT_EQ(show(), back->second);
    }
    ASSERT_NO_FATAL_FAILURE(CheckStop(*it, back == expected.rend()));
    for (int i = 0; i < 10; ++i) {
      const std::string target = Key() + (random_.OneIn(2) ? "" : "x");
      at = expected.lower_bound(target);
      it->Seek(target);
      for (int step = 0; step < 3 && it->Valid(); ++step, ++at) {
        ASSERT_NE(at, expected.end()) << target;
        ASSERT_EQ(it->key().ToString(), at->first) << target;
        if (!it->PrepareValue()) break;
        ASSERT_EQ(show(), at->second);
        it->Next();
      }
      if (!it->Valid()) {
        ASSERT_NO_FATAL_FAILURE(CheckStop(*it, at == expected.end()));
      }
      at = expected.upper_bound(target);
      it->SeekForPrev(target);
      if (!it->Valid()) {
        ASSERT_NO_FATAL_FAILURE(CheckStop(*it, at == expected.begin()));
      } else {
        ASSERT_NE(at, expected.begin()) << target;
        ASSERT_EQ(it->key().ToString(), std::prev(at)->first) << target;
      }
    }
  }
  void CheckPlain(const ReadOptions& options, const ModelFamily& family) {
    Texts expected;
    for (const auto& [key, value] : *family.model) {
      expected[key] = value.first + "/" + ModelRun::TextOf(value);
    }
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(options, family.handle));
    const auto show = [&] {
      return it->value().ToString() + "/" + ModelRun::TextOf(it->columns());
    };
    CheckCursor(expected, show, it.get());
  }

  // In any order, and perhaps one alone.
  std::vector<ModelFamily> DrawFamilies() {
    std::vector<ModelFamily> drawn = families_;
    for (size_t i = drawn.size(); i > 1; --i) {
      std::swap(drawn[i - 1], drawn[random_.Uniform(i)]);
    }
    if (random_.OneIn(4)) drawn.resize(1);
    return drawn;
  }
  static std::vector<ColumnFamilyHandle*> HandlesOf(
      const std::vector<ModelFamily>& families) {
    std::vector<ColumnFamilyHandle*> handles;
    for (const ModelFamily& family : families) handles.push_back(family.handle);
    return handles;
  }

  void CheckCoalescing(const ReadOptions& options) {
    const std::vector<ModelFamily> families = DrawFamilies();
    Model joined;
    for (const ModelFamily& family : families) {
      for (const auto& [key, value] : *family.model) {
        joined[key].first = value.first;
        if (value.second) joined[key].second = value.second;
      }
    }
    Texts expected;
    for (const auto& [key, value] : joined) {
      expected[key] = value.first + "/" + ModelRun::TextOf(value);
    }
    const auto it = db_->NewCoalescingIterator(options, HandlesOf(families));
    const auto show = [&] {
      return it->value().ToString() + "/" + ModelRun::TextOf(it->columns());
    };
    CheckCursor(expected, show, it.get());
  }

  void CheckGroupCursor(const ReadOptions& options) {
    const std::vector<ModelFamily> families = DrawFamilies();
    Texts expected;
    for (const ModelFamily& family : families) {
      for (const auto& [key, value] : *family.model) {
        expected[key] +=
            family.handle->GetName() + "/" + ModelRun::TextOf(value);
      }
    }
    const auto it =
        db_->NewAttributeGroupIterator(options, HandlesOf(families));
    const auto show = [&] {
      std::string text;
      for (const IteratorAttributeGroup& group : it->attribute_groups()) {
        text += group.column_family()->GetName() + "/" +
                ModelRun::TextOf(group.columns());
      }
      return text;
    };
    CheckCursor(expected, show, it.get());
  }

  void CheckScans(const ReadOptions& options) {
    const ModelFamily& family = AnyFamily();
    std::vector<std::string> cuts;
    for (uint64_t i = 2 * (1 + random_.Uniform(4)); i > 0; --i) {
      cuts.push_back(Key());
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    MultiScanArgs args(BytewiseComparator());
    args.use_async_io = random_.OneIn(2);
    args.reverse = random_.OneIn(3);
    args.io_coalesce_threshold = random_.Skewed(14);
    std::string expected = "";
    for (size_t i = 0; i + 1 < cuts.size(); i += 2) {
      args.insert(cuts[i], cuts[i + 1]);
      std::vector<std::string> range;
      for (auto at = family.model->lower_bound(cuts[i]);
           at != family.model->lower_bound(cuts[i + 1]); ++at) {
        range.push_back(at->first + "=" + at->second.first + " ");
      }
      if (args.reverse) std::reverse(range.begin(), range.end());
      for (const std::string& entry : range) expected += entry;
      expected += "| ";
    }
    if (expected.empty()) return;  // one key, drawn again and again
    std::string text;
    const auto scans = db_->NewMultiScan(options, family.handle, args);
    for (auto scan : *scans) {
      for (auto entry : scan) {
        text += entry.first.ToString() + "=" + entry.second.ToString() + " ";
      }
      text += "| ";
    }
    ASSERT_EQ(text, expected);
  }

  // Seeks that may ask the filters of prefixes: the keys of the target's prefix
  // come, and no others if only those are wanted.
  void CheckPrefixes(const ReadOptions& given) {
    if (prefixes_ == nullptr) return;
    ReadOptions options = given;
    options.auto_prefix_mode = options.total_order_seek = false;
    options.prefix_same_as_start = random_.OneIn(2);
    const ModelFamily& family = AnyFamily();
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(options, family.handle));
    for (int i = 0; i < 20; ++i) {
      const std::string target = Key() + (random_.OneIn(2) ? "" : "x");
      SCOPED_TRACE(target);
      const Slice prefix = prefixes_->Transform(target);
      const auto is_inside = [&](Model::const_iterator at) {
        return at != family.model->end() &&
               prefixes_->Transform(at->first) == prefix;
      };
      auto at = family.model->lower_bound(target);
      for (it->Seek(target); is_inside(at); it->Next(), ++at) {
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(it->key().ToString(), at->first);
        ASSERT_TRUE(it->PrepareValue());
        ASSERT_EQ(it->value().ToString(), at->second.first);
      }
      ASSERT_NO_FATAL_FAILURE(CheckPrefixEnd(*it, options, prefix));
      at = family.model->upper_bound(target);
      for (it->SeekForPrev(target);
           at != family.model->begin() && is_inside(std::prev(at));
           it->Prev()) {
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(it->key().ToString(), (--at)->first);
      }
      ASSERT_NO_FATAL_FAILURE(CheckPrefixEnd(*it, options, prefix));
    }
  }
  void CheckPrefixEnd(const Iterator& it, const ReadOptions& options,
                      const Slice& prefix) {
    ASSERT_OK(it.status());
    if (!it.Valid()) return;
    ASSERT_FALSE(options.prefix_same_as_start) << it.key().ToString();
    ASSERT_NE(prefixes_->Transform(it.key()), prefix) << it.key().ToString();
  }

  // Lookups in all forms; with may_stop_ some are not known.
  void CheckLookups(const ReadOptions& options) {
    Lookups drawn = DrawLookups();
    const size_t count = drawn.keys.size();
    std::vector<std::string> values;
    const auto many =
        db_->MultiGet(options, drawn.handles, drawn.keys, &values);
    std::vector<PinnableSlice> operands(100);
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 100;
    for (size_t i = 0; i < count; ++i) {
      const ModelValue* expected = Find(drawn.families[i], drawn.names[i]);
      const auto check = [&](const Status& s, const std::string& text,
                             const std::string& right) {
        if (may_stop_ && s.IsIncomplete()) return;
        ASSERT_EQ(text, right) << drawn.names[i];
      };
      check(many[i], ValueText(many[i], values[i]), ValueText(expected));
      PinnableSlice value;
      Status s =
          db_->Get(options, drawn.handles[i], drawn.keys[i], &value, nullptr);
      check(s, ValueText(s, value), ValueText(expected));
      PinnableWideColumns columns;
      s = db_->GetEntity(options, drawn.handles[i], drawn.keys[i], &columns);
      check(s, TextOf(s, columns.columns()), TextOf(expected));
      int found = 0;
      s = db_->GetMergeOperands(options, drawn.handles[i], drawn.keys[i],
                                operands.data(), &limit, &found);
      std::string joined;
      for (int j = 0; j < found; ++j) {
        joined += (j > 0 ? "," : "") + operands[j].ToString();
      }
      check(s, ValueText(s, joined), ValueText(expected));
    }
  }

  // Right as far as it goes.
  void CheckCacheTier(const ReadOptions& given) {
    ReadOptions options = given;
    options.read_tier = kBlockCacheTier;
    may_stop_ = true;
    CheckLookups(options);
    CheckPlain(options, AnyFamily());
    may_stop_ = false;
  }
  // Nothing is written without the log.
  void CheckPersistedTier(const ReadOptions& given) {
    ReadOptions options = given;
    options.read_tier = kPersistedTier;
    CheckLookups(options);
  }

  void CheckTableFilter(const ReadOptions& given) {
    const std::function<bool(const TableProperties&)> all =
        [](const TableProperties&) { return true; };
    ReadOptions options = given;
    options.table_filter = &all;
    CheckPlain(options, AnyFamily());
  }

  // What is deleted may show, and be what is merged with: the value that is
  // there is then the end of the one that shows.
  void CheckRangesIgnored(const ReadOptions& given) {
    ReadOptions options = given;
    options.ignore_range_deletions = true;
    const ModelFamily& family = AnyFamily();
    const std::unique_ptr<Iterator> it(
        db_->NewIterator(options, family.handle));
    it->SeekToFirst();
    for (const auto& [key, value] : *family.model) {
      while (it->Valid() && it->key().compare(key) < 0) it->Next();
      ASSERT_TRUE(it->Valid()) << key << " " << it->status().ToString();
      ASSERT_EQ(it->key().ToString(), key);
      ASSERT_TRUE(it->PrepareValue());
      ASSERT_TRUE(it->value().ends_with(value.first)) << key;
      if (!random_.OneIn(10)) continue;
      PinnableSlice found;
      ASSERT_OK(db_->Get(options, family.handle, key, &found));
      ASSERT_TRUE(found.ends_with(value.first)) << key;
    }
  }

  // A call that has stepped over too much says so, and leaves out nothing.
  void CheckFewSkipped(const ReadOptions& given) {
    ReadOptions options = given;
    options.max_skippable_internal_keys = 1 + random_.Skewed(4);
    may_stop_ = true;
    CheckPlain(options, AnyFamily());
    may_stop_ = false;
  }

  // In memory that is not the engine's.
  void CheckLent(const ReadOptions& given) {
    LentMemory memory;
    ReadOptions options = given;
    options.read_scoped_block_buffer_provider = &memory;
    CheckPlain(options, AnyFamily());
    CheckScans(options);
    ASSERT_EQ(memory.outstanding(), 0u);
  }

  DB* const db_;
  const std::vector<ModelFamily> families_;
  const SliceTransform* const prefixes_;
  Random64 random_;
  // A read may answer Incomplete.
  bool may_stop_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
