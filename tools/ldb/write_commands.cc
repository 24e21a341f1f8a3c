// Commands that change keys: put, put_entity, batchput, delete, singledelete,
// deleterange.

#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// "<name>:<value>": one colon, a value, and perhaps no name.
bool SplitColumn(const std::string& word, std::string* name,
                 std::string* value) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos || colon + 1 == word.size() ||
      word.find(':', colon + 1) != std::string::npos) {
    return false;
  }
  *name = word.substr(0, colon);
  *value = word.substr(colon + 1);
  return true;
}

class PutCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 2) {
      return Fail("<key> and <value> must be specified for the put command");
    }
    key_ = KeyOf(words()[0]);
    value_ = ValueOf(words()[1]);
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    OkOrFail(db_->Put(WriteOptions(), GetCfHandle(), key_, value_));
  }

 private:
  std::string key_;
  std::string value_;
};

class PutEntityCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() < 2) {
      return Fail(
          "<key> and at least one column <column_name>:<column_value> must be "
          "specified for the put_entity command");
    }
    key_ = KeyOf(words()[0]);
    for (size_t i = 1; i < words().size(); ++i) {
      std::string name;
      std::string value;
      if (!SplitColumn(words()[i], &name, &value)) {
        return Fail(
            "wide column format needs to be <column_name>:<column_value> (did "
            "you mean put <key> <value>?)");
      }
      // The column without a name has none in hex either.
      if (!name.empty()) name = ValueOf(name);
      columns_.emplace_back(name, ValueOf(value));
    }
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    WideColumns columns;
    for (const auto& [name, value] : columns_) {
      columns.emplace_back(name, value);
    }
    OkOrFail(db_->PutEntity(WriteOptions(), GetCfHandle(), key_, columns));
  }

 private:
  std::string key_;
  std::vector<std::pair<std::string, std::string>> columns_;
};

class BatchPutCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() < 2) {
      return Fail(
          "At least one <key> <value> pair must be specified batchput.");
    }
    if (words().size() % 2 != 0) {
      return Fail(
          "Equal number of <key>s and <value>s must be specified for "
          "batchput.");
    }
    for (size_t i = 0; i < words().size(); i += 2) {
      const std::string key = KeyOf(words()[i]);
      pairs_.emplace_back(key, ValueOf(words()[i + 1]));
    }
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    WriteBatch batch;
    for (const auto& [key, value] : pairs_) {
      const Status s = batch.Put(GetCfHandle(), key, value);
      if (!s.ok()) return Fail(s.ToString());
    }
    const Status s = db_->Write(WriteOptions(), &batch);
    if (!s.ok()) return Fail("Write failed", s);
    PrintLine("OK");
  }

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

class DeleteCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) {
      return Fail("KEY must be specified for the delete command");
    }
    key_ = KeyOf(words()[0]);
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    OkOrFail(db_->Delete(WriteOptions(), GetCfHandle(), key_));
  }

 private:
  std::string key_;
};

class SingleDeleteCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) {
      return Fail("KEY must be specified for the single delete command");
    }
    key_ = KeyOf(words()[0]);
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    OkOrFail(db_->SingleDelete(WriteOptions(), GetCfHandle(), key_));
  }

 private:
  std::string key_;
};

class DeleteRangeCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 2) {
      return Fail(
          "begin and end keys must be specified for the delete command");
    }
    begin_ = KeyOf(words()[0]);
    end_ = KeyOf(words()[1]);
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    OkOrFail(db_->DeleteRange(WriteOptions(), GetCfHandle(), begin_, end_));
  }

 private:
  std::string begin_;
  std::string end_;
};

}  // namespace

const std::vector<CommandRow>& WriteCommands() {
  static const std::vector<CommandRow> kRows = {
      {"put",
       Opens::kForWriting,
       "<key> <value> [--create_if_missing] [--ttl] [--hex] [--key_hex] "
       "[--value_hex]",
       "Writes a key.",
       {"ttl", "hex", "key_hex", "value_hex", "create_if_missing"},
       &MakeCommand<PutCommand>},
      {"put_entity",
       Opens::kForWriting,
       "<key> <name>:<value> [<name>:<value> ...] [--create_if_missing] "
       "[--ttl] [--hex] [--key_hex] [--value_hex]",
       "Writes the columns of a key. The column without a name is the one that "
       "get prints.",
       {"ttl", "hex", "key_hex", "value_hex", "create_if_missing"},
       &MakeCommand<PutEntityCommand>},
      {"batchput",
       Opens::kForWriting,
       "<key> <value> [<key> <value> ...] [--create_if_missing] [--ttl] "
       "[--hex] [--key_hex] [--value_hex]",
       "Writes several keys as one batch: all of them, or none.",
       {"ttl", "hex", "key_hex", "value_hex", "create_if_missing"},
       &MakeCommand<BatchPutCommand>},
      {"delete",
       Opens::kForWriting,
       "<key> [--hex] [--key_hex]",
       "Deletes a key, which need not be there.",
       {"hex", "key_hex", "value_hex"},
       &MakeCommand<DeleteCommand>},
      {"singledelete",
       Opens::kForWriting,
       "<key> [--hex] [--key_hex]",
       "Deletes a key that was written once since its last deletion.",
       {"hex", "key_hex", "value_hex"},
       &MakeCommand<SingleDeleteCommand>},
      {"deleterange",
       Opens::kForWriting,
       "<begin> <end> [--hex] [--key_hex]",
       "Deletes all keys from <begin> up to, but not with, <end>.",
       {"hex", "key_hex", "value_hex"},
       &MakeCommand<DeleteRangeCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
