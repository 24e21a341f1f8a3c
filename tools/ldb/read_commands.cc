// Commands that look keys up: get, multi_get, get_entity, multi_get_entity,
// get_property, approxsize.

#include <cstdio>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json_pairs.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const char* const kHexArguments =
    "[--hex] [--key_hex] [--value_hex] [--read_timestamp=<n>] [--json]";

class PointReadCommand : public Command {
 public:
  using Command::Command;

 protected:
  // Exactly one key, or at least one.
  void TakeKey(const char* complaint) {
    if (words().size() != 1) return Fail(complaint);
    keys_.push_back(KeyOf(words()[0]));
  }
  void TakeKeys(const char* complaint) {
    if (words().empty()) return Fail(complaint);
    for (const std::string& word : words()) keys_.push_back(KeyOf(word));
  }
  // Fails the command if the timestamp and the family do not fit.
  bool Prepare(const std::string& prefix) {
    const Status s =
        MaybePopulateReadTimestamp(GetCfHandle(), read_, &timestamp_slice_);
    if (!s.ok()) Fail(prefix, s);
    return s.ok();
  }
  // An object for each key; a key that is not there has no value.
  std::string JsonOf(const std::string& key, const Slice* value,
                     const WideColumns* columns) const {
    JsonObject object;
    AddBytes(&object, "key", key);
    if (value != nullptr) AddBytes(&object, "value", *value);
    if (columns != nullptr) {
      object.AddRaw("columns", JsonColumns(*columns));
    }
    if (value == nullptr && columns == nullptr) object.AddRaw("found", "false");
    return object.Text();
  }
  std::string Pair(const std::string& key, const Slice& value) const {
    if (wants_json()) return JsonOf(key, &value, nullptr);
    return ShownKey(key) + DELIM +
           (is_value_hex_ ? StringToHex(value.ToString()) : value.ToString());
  }
  std::string Columns(const WideColumns& columns) const {
    std::string text;
    const auto shown = [this](const Slice& bytes) {
      if (bytes.empty() || !is_value_hex_) return bytes.ToString();
      return StringToHex(bytes.ToString());
    };
    for (const WideColumn& column : columns) {
      if (!text.empty()) text += ' ';
      text += shown(column.name()) + ":" + shown(column.value());
    }
    return text;
  }
  // Prints the result for the key at `index`: `text`, if the key was found.
  // False: it could not be read.
  bool Report(size_t index, const Status& s, const std::string& text) {
    if (s.ok()) {
      PrintLine(text);
    } else if (s.IsNotFound()) {
      PrintLine(wants_json() ? JsonOf(keys_[index], nullptr, nullptr)
                             : "Key not found: " + ShownKey(keys_[index]));
    } else {
      std::fprintf(stderr, "Status for key %s: %s\n",
                   ShownKey(keys_[index]).c_str(), s.ToString().c_str());
      return false;
    }
    return true;
  }
  std::vector<Slice> KeySlices() const {
    return std::vector<Slice>(keys_.begin(), keys_.end());
  }
  void FailUnless(bool all_were_read) {
    if (!all_were_read) Fail("one or more keys had non-okay status");
  }

  std::vector<std::string> keys_;
  ReadOptions read_;

 private:
  Slice timestamp_slice_;
};

class GetCommand : public PointReadCommand {
 public:
  using PointReadCommand::PointReadCommand;
  void Parse() override {
    TakeKey("<key> must be specified for the get command");
  }
  void DoCommand() override {
    if (db_ == nullptr || !Prepare("Get failed")) return;
    std::string value;
    const Status s = db_->Get(read_, GetCfHandle(), keys_[0], &value);
    const Slice bytes(value);
    if (s.ok() && wants_json()) {
      PrintLine(JsonOf(keys_[0], &bytes, nullptr));
    } else if (s.ok()) {
      PrintLine(is_value_hex_ ? StringToHex(value) : value);
    } else if (s.IsNotFound()) {
      PrintLine(wants_json() ? JsonOf(keys_[0], nullptr, nullptr)
                             : std::string("Key not found"));
    } else {
      Fail("Get failed", s);
    }
  }
};

class MultiGetCommand : public PointReadCommand {
 public:
  using PointReadCommand::PointReadCommand;
  void Parse() override {
    TakeKeys("At least one <key> must be specified for multi_get.");
  }
  void DoCommand() override {
    if (db_ == nullptr || !Prepare("MultiGet failed")) return;
    std::vector<PinnableSlice> values(keys_.size());
    std::vector<Status> statuses(keys_.size());
    db_->MultiGet(read_, GetCfHandle(), keys_.size(), KeySlices().data(),
                  values.data(), statuses.data());
    bool all_were_read = true;
    for (size_t i = 0; i < keys_.size(); ++i) {
      all_were_read &= Report(i, statuses[i], Pair(keys_[i], values[i]));
    }
    FailUnless(all_were_read);
  }
};

class GetEntityCommand : public PointReadCommand {
 public:
  using PointReadCommand::PointReadCommand;
  void Parse() override {
    TakeKey("<key> must be specified for the get_entity command");
  }
  void DoCommand() override {
    if (db_ == nullptr || !Prepare("GetEntity failed")) return;
    PinnableWideColumns columns;
    const Status s = db_->GetEntity(read_, GetCfHandle(), keys_[0], &columns);
    if (!s.ok()) return Fail("GetEntity failed", s);
    PrintLine(wants_json() ? JsonOf(keys_[0], nullptr, &columns.columns())
                           : Columns(columns.columns()));
  }
};

class MultiGetEntityCommand : public PointReadCommand {
 public:
  using PointReadCommand::PointReadCommand;
  void Parse() override {
    TakeKeys(
        "At least one <key> must be specified for the multi_get_entity "
        "command");
  }
  void DoCommand() override {
    if (db_ == nullptr || !Prepare("MultiGetEntity failed")) return;
    std::vector<PinnableWideColumns> found(keys_.size());
    std::vector<Status> statuses(keys_.size());
    db_->MultiGetEntity(read_, GetCfHandle(), keys_.size(), KeySlices().data(),
                        found.data(), statuses.data());
    bool all_were_read = true;
    for (size_t i = 0; i < keys_.size(); ++i) {
      all_were_read &= Report(
          i, statuses[i],
          wants_json()
              ? JsonOf(keys_[i], nullptr, &found[i].columns())
              : ShownKey(keys_[i]) + DELIM + Columns(found[i].columns()));
    }
    FailUnless(all_were_read);
  }
};

class GetPropertyCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) Fail("property name must be specified");
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    const std::string& name = words()[0];
    std::map<std::string, std::string> values;
    std::string value;
    const bool has_map = db_->GetMapProperty(GetCfHandle(), name, &values);
    if (has_map && wants_json()) {
      JsonObject object;
      for (const auto& [key, text] : values) object.Add(key.c_str(), text);
      PrintLine(JsonObject().AddRaw(name.c_str(), object.Text()).Text());
    } else if (has_map) {
      if (values.empty()) PrintLine(name + ": <empty map>");
      for (const auto& [key, text] : values) {
        PrintLine(name + "." + key + ": " + text);
      }
    } else if (db_->GetProperty(GetCfHandle(), name, &value)) {
      PrintLine(wants_json() ? JsonObject().Add(name.c_str(), value).Text()
                             : name + ": " + value);
    } else {
      Fail("failed to get property: " + name);
    }
  }
};

class ApproxSizeCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (!HasOption(ARG_FROM)) {
      return Fail("from must be specified for approxsize command");
    }
    if (!HasOption(ARG_TO)) {
      return Fail("to must be specified for approxsize command");
    }
    from_ = KeyOf(Option(ARG_FROM));
    to_ = KeyOf(Option(ARG_TO));
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    const Range range(from_, to_);
    uint64_t size = 0;
    const Status s = db_->GetApproximateSizes(GetCfHandle(), &range, 1, &size);
    if (!s.ok()) return Fail(s.ToString());
    PrintLine(wants_json() ? JsonObject().Add("bytes", size).Text()
                           : std::to_string(size));
  }

 private:
  std::string from_;
  std::string to_;
};

}  // namespace

const std::vector<CommandRow>& ReadCommands() {
  static const std::string kKeyArguments =
      std::string("<key> [--ttl] ") + kHexArguments;
  static const std::string kKeysArguments =
      std::string("<key> [<key> ...] ") + kHexArguments;
  static const std::vector<CommandRow> kRows = {
      {"get",
       Opens::kForReading,
       kKeyArguments.c_str(),
       "Prints the value of a key; 'Key not found', and exit code 0, if there "
       "is none.",
       {"json", "ttl", "hex", "key_hex", "value_hex", "read_timestamp"},
       &MakeCommand<GetCommand>},
      {"multi_get",
       Opens::kForReading,
       kKeysArguments.c_str(),
       "Prints '<key> ==> <value>' for each key, or 'Key not found: <key>'.",
       {"json", "hex", "key_hex", "value_hex", "read_timestamp"},
       &MakeCommand<MultiGetCommand>},
      {"get_entity",
       Opens::kForReading,
       kKeyArguments.c_str(),
       "Prints the columns of a key, each as <name>:<value>. A plain value is "
       "the column without a name. A key that is not there is a failure.",
       {"json", "ttl", "hex", "key_hex", "value_hex", "read_timestamp"},
       &MakeCommand<GetEntityCommand>},
      {"multi_get_entity",
       Opens::kForReading,
       kKeysArguments.c_str(),
       "Prints '<key> ==> <columns>' for each key, or 'Key not found: <key>'.",
       {"json", "hex", "key_hex", "value_hex", "read_timestamp"},
       &MakeCommand<MultiGetEntityCommand>},
      {"get_property",
       Opens::kForReading,
       "<property> [--json]",
       "Prints a property of the family, such as rocksdb.stats.",
       {"json"},
       &MakeCommand<GetPropertyCommand>},
      {"approxsize",
       Opens::kForReading,
       "--from=<key> --to=<key> [--hex] [--key_hex] [--json]",
       "Prints about how many bytes of files hold keys of a range.",
       {"hex", "key_hex", "value_hex", "from", "to", "json"},
       &MakeCommand<ApproxSizeCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
