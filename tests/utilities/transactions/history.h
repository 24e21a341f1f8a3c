// A history of what ran side by side on a database, and whether some serial
// order explains it.
//
// Every value that is written to a key is written once. So it is known whose
// value was read, and from that, step by step, what must have come before what:
//   - who ended before another began comes before it;
//   - the writer of a value comes before who has read it;
//   - any other writer of that key comes before that writer, or after the
//     reader: as soon as one of the two is excluded, the other holds.
// If these orders go round in a circle, no serial order explains the history.
// Writers need not have read what they replaced, and those who only read, at
// one moment, are steps like any other. A write that failed may have taken
// effect all the same: it has if somebody has read what it wrote.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// What took effect at one moment, between `begin` and `end`.
struct HistoryStep {
  std::string label;
  // By key, the value before its own writes; empty: there was none.
  std::map<std::string, std::string> read = {};
  // By key, the last value that it wrote; empty: it deleted the key.
  std::map<std::string, std::string> written = {};
  // Both are moments that one counter gives.
  uint64_t begin = 0;
  uint64_t end = 0;
  // False: nobody knows whether it took effect.
  bool is_certain = true;
};

class History {
 public:
  static constexpr size_t kMostSteps = 256;
  // The `end` of a step that may still take effect.
  static constexpr uint64_t kNoEnd = UINT64_MAX;

  void Add(HistoryStep step) {
    INVARIANT(step.begin <= step.end);
    steps_.push_back(std::move(step));
  }
  size_t size() const { return steps_.size(); }
  // Steps that have not taken effect by `moment` never will.
  void EndAll(uint64_t moment) {
    for (HistoryStep& step : steps_) {
      if (step.end == kNoEnd) step.end = moment;
    }
  }

  // Why no serial order explains it. Empty: nothing speaks against one.
  std::string Complaint() const {
    History happened;
    happened.steps_ = Happened();
    return happened.ComplaintOfCertain();
  }

 private:
  // Without the uncertain steps of which nobody has read a value.
  std::vector<HistoryStep> Happened() const {
    std::vector<HistoryStep> happened, doubtful;
    for (const HistoryStep& step : steps_) {
      (step.is_certain ? happened : doubtful).push_back(step);
    }
    for (size_t i = 0; i < happened.size(); ++i) {
      // Moved to the end as they are found: what they have read counts too.
      const std::map<std::string, std::string> read = happened[i].read;
      for (const auto& [key, value] : read) {
        const auto wrote = [&key, &value](const HistoryStep& step) {
          const auto found = step.written.find(key);
          return found != step.written.end() && found->second == value;
        };
        const auto found =
            std::find_if(doubtful.begin(), doubtful.end(), wrote);
        if (found == doubtful.end()) continue;
        happened.push_back(std::move(*found));
        doubtful.erase(found);
      }
    }
    return happened;
  }

  std::string ComplaintOfCertain() const {
    INVARIANT(steps_.size() <= kMostSteps);
    std::map<std::string, Writers> writers;
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (const auto& [key, value] : steps_[i].written) {
        INVARIANT(writers[key].emplace(value, i).second);
      }
    }
    std::vector<Read> reads;
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (const auto& [key, value] : steps_[i].read) {
        const auto writer = writers[key].find(value);
        if (writer == writers[key].end()) {
          return steps_[i].label + " has read '" + value + "' of " + key +
                 ", which nobody has committed";
        }
        // What a step has read comes before its own writes.
        if (writer->second == i) return steps_[i].label + " read ahead";
        reads.push_back({key, i, writer->second});
      }
    }
    return Order(writers, reads);
  }

  using Writers = std::map<std::string, size_t>;  // by value
  using Steps = std::bitset<kMostSteps>;
  struct Read {
    std::string key;
    size_t reader;
    size_t writer;
  };

  std::string Order(const std::map<std::string, Writers>& writers,
                    const std::vector<Read>& reads) const {
    std::vector<Steps> after(steps_.size());  // what comes after each
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (size_t k = 0; k < steps_.size(); ++k) {
        if (steps_[i].end < steps_[k].begin) after[i].set(k);
      }
    }
    for (const Read& read : reads) after[read.writer].set(read.reader);
    for (bool is_settled = false; !is_settled;) {
      Close(&after);
      for (size_t i = 0; i < steps_.size(); ++i) {
        if (after[i].test(i)) return Describe(after, i);
      }
      is_settled = true;
      for (const Read& read : reads) {
        for (const auto& [value, other] : writers.at(read.key)) {
          if (other == read.writer || other == read.reader) continue;
          if (after[read.writer].test(other) &&
              !after[read.reader].test(other)) {
            after[read.reader].set(other);
            is_settled = false;
          }
          if (after[other].test(read.reader) &&
              !after[other].test(read.writer)) {
            after[other].set(read.writer);
            is_settled = false;
          }
        }
      }
    }
    return "";
  }

  static void Close(std::vector<Steps>* after) {
    for (size_t via = 0; via < after->size(); ++via) {
      for (Steps& of : *after) {
        if (of.test(via)) of |= (*after)[via];
      }
    }
  }

  // All that are in a circle with `first`.
  std::string Describe(const std::vector<Steps>& after, size_t first) const {
    std::string text = "no serial order of:";
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!after[first].test(i) || !after[i].test(first)) continue;
      const HistoryStep& step = steps_[i];
      text += "\n  " + step.label + " [" + std::to_string(step.begin) + ", " +
              std::to_string(step.end) + "]";
      for (const auto& [key, value] : step.read) {
        text += " " + key + "=" + value;
      }
      for (const auto& [key, value] : step.written) {
        text += " " + key + ":=" + value;
      }
    }
    return text;
  }

  std::vector<HistoryStep> steps_;
};

}  // namespace ROCKSDB_NAMESPACE
