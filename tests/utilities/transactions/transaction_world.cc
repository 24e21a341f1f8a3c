#include "tests/utilities/transactions/transaction_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "util/builtin_merge_operators.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

TransactionWorld::TransactionWorld(const TransactionKind& kind,
                                   const ScriptWords& command)
    : kind_(kind) {
  options_.env = env_.get();
  options_.create_if_missing = true;
  options_.create_missing_column_families = true;
  if (command.HasWord("stamped")) {
    options_.comparator = BytewiseComparatorWithU64Ts();
  }
  if (command.HasWord("prefix")) {
    options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  }
  txn_db_options_.write_policy = kind.policy;
  txn_db_options_.default_lock_timeout = 0;
  txn_db_options_.num_stripes = command.Number("stripes", 4);
  if (command.Has("max_locks")) {
    txn_db_options_.max_num_locks =
        static_cast<int64_t>(command.Number("max_locks", 0));
  }
}

Status TransactionWorld::Open() {
  ColumnFamilyOptions merges = options_;
  merges.merge_operator = NewStringAppendOperator();
  const std::vector<ColumnFamilyDescriptor> families = {
      {kDefaultColumnFamilyName, options_},
      {"merges", merges},
      {"other", options_}};
  Status s;
  if (kind_.is_optimistic) {
    OptimisticTransactionDBOptions occ;
    occ.validate_policy = kind_.validation;
    occ.occ_lock_buckets = 16;
    s = OptimisticTransactionDB::Open(options_, occ, "/db", families, &handles_,
                                      &optimistic_);
    db_.reset(optimistic_);
  } else {
    s = TransactionDB::Open(options_, txn_db_options_, "/db", families,
                            &handles_, &locking_);
    db_.reset(locking_);
  }
  return s;
}

void TransactionWorld::Close() {
  transactions_.clear();
  for (ColumnFamilyHandle* handle : handles_) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
  handles_.clear();
  db_.reset();
  locking_ = nullptr;
  optimistic_ = nullptr;
}

Status TransactionWorld::Kill() {
  fs_->Deactivate();
  Close();
  CrashOptions what;
  what.survival_percent = 100;
  if (Status s = fs_->CrashAndHeal(what); !s.ok()) return s;
  return Open();
}

ColumnFamilyHandle* TransactionWorld::Family(const std::string& name) const {
  for (ColumnFamilyHandle* handle : handles_) {
    if (handle->GetName() == name) return handle;
  }
  ADD_FAILURE() << "no family " << name;
  return handles_[0];
}

FamilyKey TransactionWorld::KeyOf(const std::string& text) const {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {handles_[0], text};
  return {Family(text.substr(0, slash)), text.substr(slash + 1)};
}

Transaction* TransactionWorld::Named(const std::string& who) {
  if (!transactions_.contains(who)) Begin(who, ScriptWords("begin"));
  return transactions_.at(who).get();
}

TransactionOptions TransactionWorld::OptionsOf(const ScriptWords& step) const {
  TransactionOptions options;
  options.lock_timeout = 0;
  options.commit_bypass_memtable = kind_.bypasses_memtables;
  options.set_snapshot = step.HasWord("snapshot");
  options.skip_concurrency_control = step.HasWord("unlocked");
  options.skip_prepare = !step.HasWord("must_prepare");
  options.write_batch_track_timestamp_size = step.HasWord("tracks_stamps");
  options.max_write_batch_size = step.Number("most", 0);
  if (step.Has("expires")) {
    options.expiration = static_cast<int64_t>(step.Number("expires", 0));
  }
  return options;
}

void TransactionWorld::Begin(const std::string& who, const ScriptWords& step) {
  Drop(who);
  if (kind_.is_optimistic) {
    OptimisticTransactionOptions options;
    options.set_snapshot = step.HasWord("snapshot");
    Adopt(who, optimistic_->BeginTransaction(WriteOptions(), options));
  } else {
    Adopt(who, locking_->BeginTransaction(WriteOptions(), OptionsOf(step)));
  }
}

void TransactionWorld::BeginAnew(const std::string& who) {
  Transaction* const old = Named(who);
  const ScriptWords plain("begin");
  Transaction* const again =
      kind_.is_optimistic
          ? optimistic_->BeginTransaction(WriteOptions(),
                                          OptimisticTransactionOptions(), old)
          : locking_->BeginTransaction(WriteOptions(), OptionsOf(plain), old);
  EXPECT_EQ(again, old);
}

std::string TextOfRead(const Status& s, const std::string& value) {
  if (s.ok()) return value.empty() ? "\"\"" : value;
  return s.IsNotFound() ? "-" : s.ToString();
}

std::string TextOfColumns(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += (text.empty() ? "" : " ") + column.name().ToString() + "=" +
            column.value().ToString();
  }
  return text;
}

WideColumns ColumnsOf(const ScriptWords& step, size_t index) {
  WideColumns columns;
  for (; index < step.words().size(); ++index) {
    const Slice word(step.words()[index]);
    const size_t at = step.words()[index].find('=');
    columns.emplace_back(Slice(word.data(), at),
                         Slice(word.data() + at + 1, word.size() - at - 1));
  }
  return columns;
}

void AddUpdates(const TransactionWorld& world, const ScriptWords& step,
                WriteBatch* batch) {
  for (const std::string& word : step.words()) {
    std::vector<std::string> parts = SplitString(word, ',');
    if (parts.size() < 2) continue;
    parts.resize(3);
    const auto [family, key] = world.KeyOf(parts[1]);
    Status s = Status::InvalidArgument(word);
    if (parts[0] == "put") s = batch->Put(family, key, parts[2]);
    if (parts[0] == "merge") s = batch->Merge(family, key, parts[2]);
    if (parts[0] == "delete") s = batch->Delete(family, key);
    if (parts[0] == "single_delete") s = batch->SingleDelete(family, key);
    if (parts[0] == "range") s = batch->DeleteRange(family, key, parts[2]);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
}

namespace {

std::string TextOfSteps(Iterator* it, const std::function<void()>& begin,
                        const std::function<void()>& step) {
  std::string text;
  for (begin(); it->Valid(); step()) {
    text += (text.empty() ? "" : " ") + it->key().ToString() + "=" +
            it->value().ToString();
  }
  if (!it->status().ok()) return it->status().ToString();
  return text.empty() ? "-" : text;
}

}  // namespace

std::string TextOfScan(
    const ScriptWords& step,
    const std::function<Iterator*(const ReadOptions&)>& make) {
  const std::string lower = step.Text("lower", ""),
                    upper = step.Text("upper", "");
  const Slice lower_slice(lower), upper_slice(upper);
  ReadOptions options;
  if (!lower.empty()) options.iterate_lower_bound = &lower_slice;
  if (!upper.empty()) options.iterate_upper_bound = &upper_slice;
  options.prefix_same_as_start = step.HasWord("prefix");
  const std::unique_ptr<Iterator> it(make(options));
  if (!it->status().ok()) return it->status().ToString();
  const auto next = [&] { it->Next(); };
  const auto prev = [&] { it->Prev(); };
  if (step.Has("to")) {
    return TextOfSteps(
        it.get(), [&] { it->Seek(step.Text("to", "")); }, next);
  }
  if (step.Has("back")) {
    return TextOfSteps(
        it.get(), [&] { it->SeekForPrev(step.Text("back", "")); }, prev);
  }
  const std::string forward = TextOfSteps(
      it.get(), [&] { it->SeekToFirst(); }, next);
  const std::string backward = TextOfSteps(
      it.get(), [&] { it->SeekToLast(); }, prev);
  // The same from behind; with a prefix it begins at another one.
  std::vector<std::string> turned = SplitString(backward, ' ');
  std::reverse(turned.begin(), turned.end());
  if (turned == SplitString(forward, ' ')) return forward;
  return forward + ", back " + backward;
}

}  // namespace ROCKSDB_NAMESPACE
