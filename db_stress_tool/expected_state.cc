#include "db_stress_tool/expected_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unordered_map>

#include "db_stress_tool/recovery_check.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

struct BaselineHeader {
  uint64_t magic;
  uint64_t generation;
  uint64_t family_count;
  uint64_t key_count;
};
constexpr uint64_t kMagic = 0x4241534c42415345;

Status Failed(const std::string& path) {
  return Status::IOError(path, strerror(errno));
}

}  // namespace

bool Window::Admits(std::optional<uint32_t> version) const {
  if (version.has_value()) {
    // Within the range, that it was put is known from its having a value; at
    // the ends the words say so themselves.
    return *version >= VersionOf(first) && *version <= VersionOf(last) &&
           (*version != VersionOf(first) || IsThere(first)) &&
           (*version != VersionOf(last) || IsThere(last));
  }
  return !IsThere(first) || !IsThere(last) ||
         VersionOf(last) > VersionOf(first) + 1;
}

ExpectedState::ExpectedState(const Shape& shape, std::string dir)
    : shape_(shape),
      dir_(std::move(dir)),
      baseline_(shape.family_count * shape.key_count),
      present_(shape.family_count * shape.key_count),
      pending_(shape.family_count * shape.key_count),
      newest_(shape.family_count * shape.key_count) {
  if (shape.has_stamps) {
    history_ = std::make_unique<StampHistory>(newest_.size());
  }
}

Status ExpectedState::Load() {
  if (dir_.empty()) return trace_.Open("");
  if (mkdir(dir_.c_str(), 0755) != 0 && errno != EEXIST) return Failed(dir_);
  Status s = trace_.Open(dir_ + "/trace");
  if (s.ok()) s = ReadBaseline();
  if (!s.ok()) return s;
  // A process that died between a new baseline and its empty trace.
  if (trace_.generation() < generation_)
    trace_.Restart(generation_, shape_.is_loss_common);
  if (trace_.generation() != generation_) {
    return Status::Corruption(dir_, "the trace belongs to another baseline");
  }
  return s;
}

Status ExpectedState::ReadBaseline() {
  std::ifstream file(BaselinePath(), std::ios::binary);
  if (!file) return errno == ENOENT ? Status::OK() : Failed(BaselinePath());
  BaselineHeader header{};
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!file || header.magic != kMagic ||
      header.family_count != shape_.family_count ||
      header.key_count != shape_.key_count) {
    return Status::InvalidArgument(BaselinePath(),
                                   "is of another number of keys or families");
  }
  for (std::vector<std::atomic<Word>>* words : {&present_, &newest_}) {
    std::vector<Word> read(words->size());
    file.read(reinterpret_cast<char*>(read.data()),
              static_cast<std::streamsize>(read.size() * sizeof(Word)));
    std::copy(read.begin(), read.end(), words->begin());
  }
  if (!file) return Status::Corruption(BaselinePath(), "is cut short");
  std::copy(present_.begin(), present_.end(), baseline_.begin());
  generation_ = header.generation;
  return Status::OK();
}

Status ExpectedState::WriteBaseline() const {
  const std::string temporary = BaselinePath() + ".new";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  const BaselineHeader header{kMagic, generation_, shape_.family_count,
                              shape_.key_count};
  file.write(reinterpret_cast<const char*>(&header), sizeof(header));
  for (const std::vector<std::atomic<Word>>* words : {&present_, &newest_}) {
    const std::vector<Word> copy(words->begin(), words->end());
    file.write(reinterpret_cast<const char*>(copy.data()),
               static_cast<std::streamsize>(copy.size() * sizeof(Word)));
  }
  file.close();
  if (!file) return Failed(temporary);
  if (rename(temporary.c_str(), BaselinePath().c_str()) != 0) {
    return Failed(temporary);
  }
  return Status::OK();
}

std::string ExpectedState::Judge(const Found& found, Promise promise) const {
  // The process that wrote the trace may have had another setting than this
  // one.
  const bool is_loss_common = trace_.is_loss_common();
  std::vector<RecoveryCheck> checks(is_loss_common ? 1 : shape_.family_count);
  std::unordered_map<size_t, std::vector<TracedWrite>> writes;
  for (const TraceRecord& record : trace_.records()) {
    if (!record.is_whole()) continue;
    const Moment end = record.end;
    const bool is_durable =
        promise == Promise::kDurableAndPrefix &&
        (record.is_durable != 0 ||
         (end != kNever && end <= trace_.durable_until(record.family)));
    writes[IndexOf({record.family, record.key})].push_back(
        {record.begin, end, record.word, is_durable});
  }
  KeyHistory history;
  for (size_t family = 0; family < shape_.family_count; ++family) {
    RecoveryCheck& check = checks[is_loss_common ? 0 : family];
    for (uint64_t number = 0; number < shape_.key_count; ++number) {
      history.key = {family, number};
      const size_t index = IndexOf(history.key);
      const std::optional<uint32_t> version = found(history.key);
      const auto traced = writes.find(index);
      history.is_there = version.has_value();
      history.version = version.value_or(0);
      history.baseline = baseline_[index];
      history.writes.clear();
      if (traced != writes.end()) history.writes = std::move(traced->second);
      check.Add(history);
    }
  }
  for (const RecoveryCheck& check : checks) {
    if (std::string wrong = check.Verdict(); !wrong.empty()) return wrong;
  }
  return "";
}

Status ExpectedState::Settle(const Found& found) {
  // No version is ever used twice, not even that of a lost write.
  for (const TraceRecord& record : trace_.records()) {
    if (!record.is_whole()) continue;
    std::atomic<Word>& newest = newest_[IndexOf({record.family, record.key})];
    newest = std::max(newest.load(), record.word);
  }
  for (size_t family = 0; family < shape_.family_count; ++family) {
    for (uint64_t number = 0; number < shape_.key_count; ++number) {
      const KeyRef key{family, number};
      const size_t index = IndexOf(key);
      const std::optional<uint32_t> version = found(key);
      present_[index] = version.has_value() ? (*version << 1 | 1)
                                            : (VersionOf(newest_[index]) << 1);
      pending_[index] = present_[index].load();
      baseline_[index] = present_[index];
      if (history_ == nullptr) continue;
      history_->Reset(index, present_[index], trace_.newest_stamp());
    }
  }
  ++generation_;
  if (dir_.empty()) {
    trace_.Restart(generation_, shape_.is_loss_common);
    return Status::OK();
  }
  Status s = WriteBaseline();
  if (s.ok()) trace_.Restart(generation_, shape_.is_loss_common);
  return s;
}

Window ExpectedState::OpenWindow(const KeyRef& key, Stamp as_of) const {
  const size_t index = IndexOf(key);
  if (as_of == kNewestStamp) return {present_[index], 0};
  return {history_->Acknowledged(index, as_of), 0};
}

void ExpectedState::CloseWindow(const KeyRef& key, Window* window,
                                Stamp as_of) const {
  const size_t index = IndexOf(key);
  window->last = as_of == kNewestStamp ? pending_[index].load()
                                       : history_->Begun(index, as_of);
}

ExpectedState::Write::Write(ExpectedState* state)
    : state_(state),
      stamp_(state->history_ == nullptr ? 0 : state->trace_.NextStamp()),
      begin_(state->trace_.Tick()) {}

std::optional<Word> ExpectedState::Write::Put(const KeyRef& key) {
  return Add(key, PutAfter(state_->newest_[state_->IndexOf(key)]));
}

std::optional<Word> ExpectedState::Write::Delete(const KeyRef& key) {
  return Add(key, DeletedAfter(state_->newest_[state_->IndexOf(key)]));
}

std::optional<Word> ExpectedState::Write::Add(const KeyRef& key, Word word) {
  TraceRecord* const record = state_->trace_.Begin(key, word, begin_);
  if (record == nullptr) return std::nullopt;
  const size_t index = state_->IndexOf(key);
  state_->newest_[index] = word;
  state_->pending_[index] = word;
  if (state_->history_ != nullptr) {
    state_->history_->Begin(index, stamp_, word);
  }
  items_.push_back({key, record});
  return word;
}

void ExpectedState::Write::Acknowledge(Durability durability) {
  const Moment end = state_->trace_.Tick();
  for (const Item& item : items_) {
    const size_t index = state_->IndexOf(item.key);
    state_->present_[index] = item.record->word;
    if (state_->history_ != nullptr) {
      state_->history_->Acknowledge(index, item.record->word);
    }
    item.record->end = end;
    if (durability == Durability::kDurable) item.record->is_durable = 1;
  }
  // What was acknowledged before a durable write began is before it in the
  // log. (Families lose apart only where there is no log.)
  if (durability == Durability::kDurable) state_->NoteDurable(begin_);
}

void ExpectedState::NoteDurable(size_t family, Moment moment) {
  trace_.NoteDurable(family, moment);
}

void ExpectedState::NoteDurable(Moment moment) {
  for (size_t family = 0; family < shape_.family_count; ++family) {
    trace_.NoteDurable(family, moment);
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
