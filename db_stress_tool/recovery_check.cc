#include "db_stress_tool/recovery_check.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string WordText(Word word) {
  return (IsThere(word) ? "v" : "deleted at v") +
         std::to_string(VersionOf(word));
}

bool Explains(Word word, const KeyHistory& history) {
  if (IsThere(word) != history.is_there) return false;
  return !history.is_there || VersionOf(word) == history.version;
}

// The moment of loss if the first `count` writes are there as far as they were
// ever applied; [0, 0) if it cannot have been so.
std::pair<Moment, Moment> LossAfter(const KeyHistory& history, size_t count) {
  Moment to = kNever;
  for (size_t i = count; i < history.writes.size(); ++i) {
    if (history.writes[i].is_durable) return {0, 0};
    to = std::min(to, history.writes[i].end);
  }
  return {count == 0 ? 0 : history.writes[count - 1].begin, to};
}

}  // namespace

Moments PossibleLoss(const KeyHistory& history) {
  Moments result;
  for (size_t count = 0; count <= history.writes.size(); ++count) {
    const Word word =
        count == 0 ? history.baseline : history.writes[count - 1].word;
    if (!Explains(word, history)) continue;
    const auto loss = LossAfter(history, count);
    if (loss.first >= loss.second) continue;
    if (!result.empty() && loss.first <= result.back().second) {
      result.back().second = std::max(result.back().second, loss.second);
    } else {
      result.push_back(loss);
    }
  }
  return result;
}

std::string Describe(const KeyHistory& history) {
  constexpr size_t kMostWrites = 12;
  std::string text =
      "family " + std::to_string(history.key.family) + ", key " +
      std::to_string(history.key.number) + " holds " +
      (history.is_there ? "v" + std::to_string(history.version) : "nothing") +
      "; was " + WordText(history.baseline);
  const size_t first = history.writes.size() > kMostWrites
                           ? history.writes.size() - kMostWrites
                           : 0;
  for (size_t i = first; i < history.writes.size(); ++i) {
    const TracedWrite& write = history.writes[i];
    text += ", " + WordText(write.word) + " [" + std::to_string(write.begin) +
            "," + (write.end == kNever ? "" : std::to_string(write.end)) +
            (write.is_durable ? "] durable" : "]");
  }
  return text;
}

void RecoveryCheck::Add(const KeyHistory& history) {
  const Moments moments = PossibleLoss(history);
  if (moments.empty()) {
    if (first_error_.empty()) first_error_ = Describe(history);
    return;
  }
  ++key_count_;
  for (const auto& [from, to] : moments) {
    ++changes_[from];
    --changes_[to];
  }
  if (moments.front().first >= latest_from_) {
    latest_from_ = moments.front().first;
    latest_key_ = Describe(history);
  }
  if (moments.back().second <= earliest_to_) {
    earliest_to_ = moments.back().second;
    earliest_key_ = Describe(history);
  }
}

std::string RecoveryCheck::Verdict() const {
  if (!first_error_.empty()) return first_error_;
  if (key_count_ == 0) return "";
  int64_t covered = 0;
  for (const auto& [moment, change] : changes_) {
    covered += change;
    if (covered == key_count_ && moment != kNever) return "";
  }
  return Conflict();
}

std::string RecoveryCheck::Conflict() const {
  return "a hole: no moment of loss explains all keys. There is: " +
         latest_key_ + ". But lost is: " + earliest_key_;
}

}  // namespace ROCKSDB_NAMESPACE::stress
