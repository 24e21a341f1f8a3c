// One event of LOG as a line of JSON, as tools that read it expect it:
//   EVENT_LOG_v1 {"time_micros": 1700000000000000, "event": "flush_started"}
//
// Threads  One.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "util/json_text.h"

namespace ROCKSDB_NAMESPACE {

class EventText {
 public:
  explicit EventText(std::string_view event)
      : text_("EVENT_LOG_v1 {\"time_micros\": ") {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    text_ += std::to_string(
        std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    Add("event", event);
  }

  EventText& Add(std::string_view name, std::string_view value) {
    AddName(name);
    AppendQuoted(value);
    return *this;
  }
  EventText& Add(std::string_view name, const char* value) {
    return Add(name, std::string_view(value));
  }
  EventText& Add(std::string_view name, uint64_t value) {
    AddName(name);
    text_ += std::to_string(value);
    return *this;
  }
  EventText& Add(std::string_view name, int value) {
    AddName(name);
    text_ += std::to_string(value);
    return *this;
  }
  EventText& Add(std::string_view name, double value) {
    AddName(name);
    text_ += std::to_string(value);
    return *this;
  }
  EventText& Add(std::string_view name, const std::vector<uint64_t>& values) {
    AddName(name);
    text_ += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += ", ";
      text_ += std::to_string(values[i]);
    }
    text_ += ']';
    return *this;
  }

  // What is added until EndObject() belongs to an object of that name.
  EventText& BeginObject(std::string_view name) {
    AddName(name);
    text_ += '{';
    return *this;
  }
  EventText& EndObject() {
    text_ += '}';
    return *this;
  }

  std::string Finish() const { return text_ + "}"; }

 private:
  void AddName(std::string_view name) {
    if (text_.back() != '{') text_ += ", ";
    AppendQuoted(name);
    text_ += ": ";
  }
  // Names of families and files are the user's: any byte may be in them.
  void AppendQuoted(std::string_view value) { AppendJsonString(value, &text_); }

  std::string text_;
};

}  // namespace ROCKSDB_NAMESPACE
