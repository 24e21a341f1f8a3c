#include "tests/utilities/transactions/history_actor.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/iterator.h"
#include "rocksdb/snapshot.h"

namespace ROCKSDB_NAMESPACE {

std::string HistoryActor::Label(const char* what) {
  return std::string(what) + " " + std::to_string(seed_) + "." +
         std::to_string(++step_count_);
}

// Lets others in between.
void HistoryActor::Pause() {
  const uint64_t turns = random_.OneIn(40) ? 30 : random_.OneIn(4) ? 1 : 0;
  for (uint64_t i = 0; i < turns; ++i) std::this_thread::yield();
}

void HistoryActor::Act() {
  switch (random_.Uniform(8)) {
    case 0:
      return ReadAtSnapshot();
    case 1:
      return ReadAtOnce();
    case 2:
      return WriteOutside();
    default:
      return RunTransaction();
  }
}

// --- Outside of transactions

void HistoryActor::ReadAtSnapshot() {
  HistoryStep step{.label = Label("snapshot"), .begin = run_.Tick()};
  ReadOptions options;
  options.snapshot = run_.db()->GetSnapshot();
  step.end = run_.Tick();
  for (const HistoryRun::Key& key : run_.keys()) {
    Pause();
    std::string value;
    const Status s =
        run_.db()->Get(options, run_.family(key.family), key.name, &value);
    EXPECT_TRUE(s.ok() || s.IsNotFound()) << s.ToString();
    step.read[key.name] = value;
  }
  run_.db()->ReleaseSnapshot(options.snapshot);
  run_.Add(std::move(step));
}

void HistoryActor::ReadAtOnce() {
  HistoryStep step{.label = Label("MultiGet"), .begin = run_.Tick()};
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> keys;
  for (const HistoryRun::Key& key : run_.keys()) {
    families.push_back(run_.family(key.family));
    keys.emplace_back(key.name);
  }
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      run_.db()->MultiGet(ReadOptions(), families, keys, &values);
  step.end = run_.Tick();
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_TRUE(statuses[i].ok() || statuses[i].IsNotFound());
    step.read[run_.keys()[i].name] = statuses[i].ok() ? values[i] : "";
  }
  run_.Add(std::move(step));
}

// Writes without having read what it replaces.
void HistoryActor::WriteOutside() {
  HistoryStep step{.label = Label("write"), .begin = run_.Tick()};
  WriteBatch batch;
  const uint64_t count = 1 + random_.Uniform(2);
  for (uint64_t i = 0; i < count; ++i) {
    const size_t at = random_.Uniform(HistoryRun::kKeys);
    const HistoryRun::Key& key = run_.keys()[at];
    if (step.written.contains(key.name)) continue;
    Status s;
    if (random_.OneIn(4) && run_.MayDelete(at)) {
      step.written[key.name] = "";
      s = batch.Delete(run_.family(key.family), key.name);
    } else {
      const std::string value = run_.FreshValue();
      step.written[key.name] = value;
      s = batch.Put(run_.family(key.family), key.name, value);
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  const Status s = run_.db()->Write(run_.write_options(), &batch);
  step.end = run_.Tick();
  if (s.ok()) {
    run_.Add(std::move(step));
  } else if (run_.MayFail(s)) {
    run_.AddUncertain(std::move(step));
  } else {
    ExpectRefusal(s);
  }
}

// --- Transactions

std::unique_ptr<Transaction> HistoryActor::BeginTransaction() {
  const bool sets_snapshot = random_.OneIn(3);
  snapshot_since_ = run_.Tick();
  std::unique_ptr<Transaction> txn;
  if (run_.kind().is_locking()) {
    TransactionOptions options;
    options.deadlock_detect = true;
    options.deadlock_timeout_us = 100;
    // A transaction that is left prepared keeps its locks, so that waiting long
    // for them is in vain.
    options.lock_timeout = ends_ == Ends::kAll ? 10000 : 5;
    options.set_snapshot = sets_snapshot;
    options.commit_bypass_memtable = run_.kind().bypasses_memtables;
    txn.reset(run_.locking()->BeginTransaction(run_.write_options(), options));
    EXPECT_TRUE(txn->SetName(Label("txn")).ok());
  } else {
    OptimisticTransactionOptions options;
    options.set_snapshot = sets_snapshot;
    txn.reset(
        run_.optimistic()->BeginTransaction(run_.write_options(), options));
  }
  snapshot_until_ = run_.Tick();
  return txn;
}

void HistoryActor::RunTransaction() {
  const uint64_t begin = run_.Tick();
  std::unique_ptr<Transaction> txn = BeginTransaction();
  State state;
  State at_save_point;
  bool has_save_point = false;
  for (uint64_t left = 1 + random_.Uniform(5); left > 0; --left) {
    if (!TakeStep(txn.get(), &state)) return;
    Pause();
    if (random_.OneIn(5)) {
      txn->SetSavePoint();
      at_save_point = state;
      has_save_point = true;
    } else if (has_save_point && random_.OneIn(4)) {
      EXPECT_TRUE(txn->RollbackToSavePoint().ok());
      state = at_save_point;
      has_save_point = false;
    }
  }
  EndTransaction(std::move(txn), std::move(state), begin);
}

bool HistoryActor::TakeStep(Transaction* txn, State* state) {
  const size_t key = random_.Uniform(HistoryRun::kKeys);
  switch (random_.Uniform(6)) {
    case 0:
      WalkIn(txn, *state);
      return true;
    case 1:
      if (run_.kind().locks == HistoryKind::Locks::kRanges) {
        return LockAndWalk(txn, state);
      }
      return ReadForUpdate(txn, key, /*is_exclusive=*/false, state);
    default:
      // Whoever shares a key may want it alone then.
      return ReadForUpdate(txn, key, random_.OneIn(2), state) &&
             WriteKey(txn, key, state);
  }
}

void HistoryActor::NoteRead(const std::string& key, const std::string& value,
                            State* state) {
  const auto own = state->own.find(key);
  if (own != state->own.end()) {
    if (value == own->second) return;
    EXPECT_TRUE(MayHaveChanged(key, *state))
        << key << ": " << value << " instead of " << own->second;
    state->is_doomed = true;
    return;
  }
  const auto before = state->read.emplace(key, value).first;
  if (before->second != value) {
    // Only who locks nothing sees others' writes of a key it has used.
    EXPECT_FALSE(run_.kind().is_locking()) << key;
    state->is_doomed = true;
  }
}

bool HistoryActor::ReadForUpdate(Transaction* txn, size_t at, bool is_exclusive,
                                 State* state) {
  const HistoryRun::Key& key = run_.keys()[at];
  std::string value;
  const Status s =
      txn->GetForUpdate(ReadOptions(), run_.family(key.family), key.name,
                        &value, is_exclusive, /*do_validate=*/true);
  if (s.ok() || s.IsNotFound()) {
    NoteRead(key.name, s.ok() ? value : "", state);
    return true;
  }
  ExpectRefusal(s);
  return false;
}

void HistoryActor::ExpectRefusal(const Status& s) const {
  EXPECT_TRUE(s.IsBusy() || s.IsTimedOut() || run_.MayFail(s)) << s.ToString();
}

// What is not there stays away, too.
bool HistoryActor::LockAndWalk(Transaction* txn, State* state) {
  const auto& keys = HistoryRun::keys();
  const size_t from = random_.Uniform(keys.size());
  size_t to = from;
  while (to + 1 < keys.size() && keys[to + 1].family == keys[from].family &&
         !random_.OneIn(3)) {
    ++to;
  }
  ColumnFamilyHandle* const family = run_.family(keys[from].family);
  Status s = txn->GetRangeLock(family, Endpoint(keys[from].name),
                               Endpoint(keys[to].name));
  if (!s.ok()) {
    ExpectRefusal(s);
    return false;
  }
  Pause();
  Values found;
  const std::unique_ptr<Iterator> cursor(
      txn->GetIterator(ReadOptions(), family));
  for (cursor->Seek(keys[from].name);
       cursor->Valid() && cursor->key().compare(keys[to].name) <= 0;
       cursor->Next()) {
    found[cursor->key().ToString()] = cursor->value().ToString();
  }
  EXPECT_TRUE(cursor->status().ok()) << cursor->status().ToString();
  for (size_t i = from; i <= to; ++i) {
    NoteRead(keys[i].name, found[keys[i].name], state);
  }
  return true;
}

bool HistoryActor::WriteKey(Transaction* txn, size_t at, State* state) {
  const HistoryRun::Key& key = run_.keys()[at];
  ColumnFamilyHandle* const family = run_.family(key.family);
  const auto own = state->own.find(key.name);
  const std::string now =
      own != state->own.end() ? own->second : state->read.at(key.name);
  std::string then = run_.FreshValue();
  Status s;
  const uint64_t how = random_.Uniform(4);
  const bool is_merge = how == 0;
  switch (how) {
    case 0:
      s = txn->Merge(family, key.name, then);
      if (!now.empty()) then = now + "," + then;
      if (own == state->own.end()) state->merged.insert(key.name);
      break;
    case 1:
      if (run_.MayDelete(at)) {
        then = "";
        s = txn->Delete(family, key.name);
      } else {
        // The record that counts is the second.
        s = txn->Delete(family, key.name);
        if (s.ok()) s = txn->Put(family, key.name, then);
      }
      break;
    case 2:
      s = txn->PutUntracked(family, key.name, then);
      break;
    default:
      s = txn->Put(family, key.name, then);
      break;
  }
  if (s.ok()) {
    if (!is_merge) state->merged.erase(key.name);
    state->own[key.name] = then;
    return true;
  }
  ExpectRefusal(s);
  return false;
}

void HistoryActor::WalkIn(Transaction* txn, const State& state) {
  HistoryStep step{.label = Label("walk"), .begin = run_.Tick()};
  const size_t family = random_.Uniform(2);
  ReadOptions options;
  if (txn->GetSnapshot() != nullptr && random_.OneIn(2)) {
    options.snapshot = txn->GetSnapshot();
    step.begin = snapshot_since_;
  }
  const std::unique_ptr<Iterator> cursor(
      txn->GetIterator(options, run_.family(family)));
  step.end = options.snapshot != nullptr ? snapshot_until_ : run_.Tick();
  Values found;
  if (random_.OneIn(2)) {
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      found[cursor->key().ToString()] = cursor->value().ToString();
      Pause();
    }
  } else {
    for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev()) {
      found[cursor->key().ToString()] = cursor->value().ToString();
      Pause();
    }
  }
  EXPECT_TRUE(cursor->status().ok()) << cursor->status().ToString();
  for (const HistoryRun::Key& key : run_.keys()) {
    if (key.family != family) continue;
    const auto own = state.own.find(key.name);
    if (own != state.own.end()) {
      if (!MayHaveChanged(key.name, state)) {
        EXPECT_EQ(found[key.name], own->second) << key.name;
      }
    } else {
      step.read[key.name] = found[key.name];
    }
  }
  run_.Add(std::move(step));
}

void HistoryActor::EndTransaction(std::unique_ptr<Transaction> txn, State state,
                                  uint64_t begin) {
  HistoryStep step{.label = Label("commit"),
                   .read = std::move(state.read),
                   .written = std::move(state.own),
                   .begin = begin};
  using Fate = LeftTransaction::Fate;
  const auto leave = [&](Fate fate) {
    run_.Leave({std::move(txn), std::move(step), fate});
  };
  if (run_.kind().is_locking() && random_.OneIn(2)) {
    const Status s = txn->Prepare();
    if (run_.MayFail(s)) return leave(Fate::kMaybePrepared);
    EXPECT_TRUE(s.ok()) << s.ToString();
    Pause();
    if (ends_ == Ends::kLeavesSome && random_.OneIn(3)) {
      return leave(Fate::kPrepared);
    }
  }
  const bool is_prepared = txn->GetState() == Transaction::PREPARED;
  if (random_.OneIn(6)) {
    const Status s = txn->Rollback();
    if (run_.MayFail(s)) {
      // Else its log goes with it.
      if (is_prepared) leave(Fate::kMaybePrepared);
      return;
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
    return;
  }
  const Status s = txn->Commit();
  step.end = run_.Tick();
  if (s.ok()) {
    EXPECT_FALSE(state.is_doomed) << step.label;
    ++committed_;
    run_.Add(std::move(step));
  } else if (run_.MayFail(s)) {
    if (is_prepared) return leave(Fate::kMaybeCommitted);
    run_.AddUncertain(std::move(step));
  } else {
    EXPECT_TRUE(!run_.kind().is_locking() && s.IsBusy()) << s.ToString();
  }
}

}  // namespace ROCKSDB_NAMESPACE
