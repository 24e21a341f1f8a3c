// Counts of keys by what they begin with, for --count_delim.
//
// The keys come in order, so that those that begin alike follow each other.
//
// Threads  One.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json_pairs.h"

namespace ROCKSDB_NAMESPACE {

class PrefixCounts {
 public:
  enum class Form { kText, kJson };
  PrefixCounts(char delimiter, Form form)
      : delimiter_(delimiter), form_(form) {}

  // Prints the prefix before, if this key begins otherwise.
  void Add(const Slice& key, const Slice& value) {
    std::string prefix = key.ToString();
    prefix = prefix.substr(0, prefix.find(delimiter_));
    if (is_begun_ && prefix != prefix_) {
      PrintCount();
      count_ = bytes_ = 0;
    }
    is_begun_ = true;
    prefix_ = prefix;
    ++count_;
    bytes_ += key.size() + value.size();
  }

  // The last one; of no keys at all, too.
  void PrintCount() const {
    if (form_ == Form::kJson) {
      JsonObject object;
      AddBytes(&object, "prefix", prefix_);
      PrintLine(object.Add("count", count_).Add("bytes", bytes_).Text());
      return;
    }
    PrintLine(prefix_ + " => count:" + std::to_string(count_) +
              "\tsize:" + std::to_string(bytes_));
  }

 private:
  const char delimiter_;
  const Form form_;
  bool is_begun_ = false;
  std::string prefix_;
  uint64_t count_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
