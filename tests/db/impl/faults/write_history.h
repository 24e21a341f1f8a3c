// The writes that a test issued, and the check that a database holds a prefix
// of them: every one acknowledged as durable, and none behind a gap.
//
// Each write leaves a mark that nothing removes, so that which writes are there
// can be read from the database; beside it, it puts a value and removes older
// ones, and that must fit the marks. Where keys have timestamps, each write has
// its own, and what is read is the newest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

class WriteHistory {
 public:
  // Bytes of a value, on average.
  explicit WriteHistory(size_t value_bytes) : value_bytes_(value_bytes) {}

  // Some values have a second column from now on.
  void UseEntities() { has_entities_ = true; }
  // The family holds what others wrote.
  void LeaveOut(const std::string& family) { left_out_.insert(family); }

  // Writes go past the log from now on: none is durable by itself.
  void LeaveLogOut() { has_log_ = false; }
  // What survives is a prefix of each family's writes, not of all.
  void ExpectPrefixOfEachFamily() { is_one_prefix_ = false; }

  // The next write, to `handle`, which has that name.
  Status Write(DB* db, ColumnFamilyHandle* handle, bool sync) {
    const size_t index = writes_.size();
    writes_.push_back({handle->GetName()});
    WriteBatch batch;
    Status s = Fill(index, handle, &batch);
    WriteOptions options;
    options.disableWAL = !has_log_;
    options.sync = sync && has_log_;
    if (s.ok()) s = db->Write(options, &batch);
    if (!s.ok()) return s;
    writes_[index].is_acknowledged = true;
    if (options.sync) NoteAllDurable();
    return s;
  }

  // All acknowledged so far survive any crash.
  void NoteAllDurable() { durable_count_ = writes_.size(); }
  // Those of one family.
  void NoteDurable(const std::string& family) {
    durable_counts_[family] = writes_.size();
  }
  // The family's writes went with it.
  void Forget(const std::string& family) {
    for (Entry& write : writes_) {
      if (write.family == family) write.is_forgotten = true;
    }
  }
  // After a crash: what is not in the database is no longer expected, what is
  // there is durable. Says how many acknowledged writes the crash took.
  size_t TakeOver() {
    size_t lost = 0;
    for (Entry& write : writes_) {
      if (write.is_present) {
        write.is_acknowledged = true;
        continue;
      }
      if (write.is_acknowledged && !write.is_forgotten) ++lost;
      write.is_acknowledged = false;
      write.is_forgotten = true;
    }
    NoteAllDurable();
    return lost;
  }

  size_t size() const { return writes_.size(); }

  // What is wrong with the database; empty if nothing. With `is_live`, all
  // acknowledged writes must be there, not only the durable ones.
  std::string Check(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                    bool is_live) {
    for (Entry& write : writes_) write.is_present = false;
    for (ColumnFamilyHandle* handle : handles) {
      if (left_out_.contains(handle->GetName())) continue;
      const std::string wrong = CheckFamily(db, handle);
      if (!wrong.empty()) return handle->GetName() + ": " + wrong;
    }
    return CheckPrefix(is_live);
  }

  // Keys that begin so are no part of the history.
  static constexpr char kOfOthers = 'x';

 private:
  static constexpr const char* kSecondColumn = "second";
  struct Entry {
    std::string family;
    bool is_acknowledged = false;
    bool is_forgotten = false;
    bool is_present = false;
  };

  static std::string Key(char kind, size_t index) {
    return kind + std::to_string(1000000 + index);
  }
  std::string Value(size_t index) const {
    const size_t size = value_bytes_ / 2 + index * 7919 % (value_bytes_ + 1);
    return std::string(size, static_cast<char>('a' + index % 26)) +
           std::to_string(index);
  }
  static size_t Back(size_t index, size_t n) {
    return index < n ? 0 : index - n;
  }

  size_t DurableCount(const std::string& family) const {
    const auto found = durable_counts_.find(family);
    return found == durable_counts_.end()
               ? durable_count_
               : std::max(durable_count_, found->second);
  }
  std::string CheckPrefix(bool is_live) const {
    // By family, or under one name for all.
    std::map<std::string, size_t> first_missing;
    for (size_t i = 0; i < writes_.size(); ++i) {
      const Entry& write = writes_[i];
      if (write.is_forgotten || !write.is_acknowledged) continue;
      const std::string sequence = is_one_prefix_ ? "" : write.family;
      const auto missing = first_missing.find(sequence);
      if (write.is_present) {
        if (missing == first_missing.end()) continue;
        return "write " + std::to_string(i) + " (" + write.family +
               ") is there, " + std::to_string(missing->second) + " (" +
               writes_[missing->second].family + ") is not";
      }
      if (is_live || i < DurableCount(write.family)) {
        return "write " + std::to_string(i) + " (" + write.family +
               ") is lost; durable are the first " +
               std::to_string(DurableCount(write.family));
      }
      first_missing.emplace(sequence, i);
    }
    return "";
  }

  Status Fill(size_t index, ColumnFamilyHandle* handle,
              WriteBatch* batch) const {
    if (HasTimestamps(handle)) return FillStamped(index, handle, batch);
    Status s = batch->Put(handle, Key('m', index), "");
    if (s.ok() && IsEntity(index)) {
      const std::string value = Value(index), second = Value(index + 1);
      s = batch->PutEntity(
          handle, Key('k', index),
          {{kDefaultWideColumnName, value}, {kSecondColumn, second}});
    } else if (s.ok()) {
      s = batch->Put(handle, Key('k', index), Value(index));
    }
    if (s.ok() && index % 3 == 0) {
      s = batch->Delete(handle, Key('k', Back(index, 7)));
    }
    if (s.ok() && index % 10 == 9) {
      s = batch->DeleteRange(handle, Key('k', Back(index, 20)),
                             Key('k', Back(index, 12)));
    }
    return s;
  }
  bool IsEntity(size_t index) const { return has_entities_ && index % 4 == 1; }
  bool HasItsColumns(size_t index, const WideColumns& columns) const {
    if (!IsEntity(index)) return columns.size() == 1;
    return columns.size() == 2 && columns[1].name() == kSecondColumn &&
           columns[1].value() == Value(index + 1);
  }
  static bool HasTimestamps(ColumnFamilyHandle* handle) {
    return handle->GetComparator()->timestamp_size() > 0;
  }
  Status FillStamped(size_t index, ColumnFamilyHandle* handle,
                     WriteBatch* batch) const {
    std::string ts;
    EncodeU64Ts(index + 1, &ts);
    Status s = batch->Put(handle, Key('m', index), ts, "");
    if (s.ok()) s = batch->Put(handle, Key('k', index), ts, Value(index));
    if (s.ok() && index % 3 == 0) {
      s = batch->Delete(handle, Key('k', Back(index, 7)), ts);
    }
    if (s.ok() && index % 10 == 9) {
      s = batch->DeleteRange(handle, Key('k', Back(index, 20)),
                             Key('k', Back(index, 12)), ts);
    }
    return s;
  }
  void Apply(size_t index, std::map<std::string, std::string>* state) const {
    (*state)[Key('k', index)] = Value(index);
    if (index % 3 == 0) state->erase(Key('k', Back(index, 7)));
    if (index % 10 != 9) return;
    state->erase(state->lower_bound(Key('k', Back(index, 20))),
                 state->lower_bound(Key('k', Back(index, 12))));
  }

  std::string CheckFamily(DB* db, ColumnFamilyHandle* handle) {
    std::map<std::string, std::string> found;
    ReadOptions read;
    const Slice newest = MaxU64Ts();
    if (HasTimestamps(handle)) read.timestamp = &newest;
    const std::unique_ptr<Iterator> it(db->NewIterator(read, handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      const std::string key = it->key().ToString();
      if (key[0] == kOfOthers) continue;
      const size_t index = std::stoul(key.substr(1)) - 1000000;
      if (key[0] == 'k') {
        found[key] = it->value().ToString();
        if (!HasItsColumns(index, it->columns())) {
          return "other columns of " + key;
        }
        continue;
      }
      if (index >= writes_.size()) return "a write that never was: " + key;
      if (writes_[index].family != handle->GetName()) {
        return "a write of another family: " + key;
      }
      writes_[index].is_present = true;
    }
    if (!it->status().ok()) return it->status().ToString();
    std::map<std::string, std::string> expected;
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (writes_[i].family == handle->GetName() && writes_[i].is_present) {
        Apply(i, &expected);
      }
    }
    if (expected == found) return "";
    for (const auto& [key, value] : expected) {
      if (found.count(key) == 0) return "the value of " + key + " is missing";
      if (found[key] != value) return "a wrong value of " + key;
    }
    return "a value that was deleted is there";
  }

  const size_t value_bytes_;
  bool has_entities_ = false;
  bool has_log_ = true;
  bool is_one_prefix_ = true;
  std::set<std::string> left_out_;
  std::vector<Entry> writes_;
  size_t durable_count_ = 0;
  std::map<std::string, size_t> durable_counts_;
};

}  // namespace ROCKSDB_NAMESPACE
