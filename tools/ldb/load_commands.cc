// Commands that read standard input: load, query.

#include <cstdio>
#include <iostream>
#include <memory>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/pair_lines.h"
#include "tools/ldb/progress.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class LoadCommand : public Command {
 public:
  using Command::Command;
  void OverrideBaseOptions() override {
    Command::OverrideBaseOptions();
    if (HasFlag("bulk_load")) options_.PrepareForBulkLoad();
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    Load();
    if (HasFlag("disable_wal")) FlushLoaded();
    if (exec_state_.IsFailed() || !HasFlag("compact")) return;
    const ProgressBeside progress("compacting");
    const Status s = db_->CompactRange(CompactRangeOptions(), GetCfHandle(),
                                       nullptr, nullptr);
    if (!s.ok()) Fail("Compaction failed", s);
  }

 private:
  void Load() {
    WriteOptions write;
    write.disableWAL = HasFlag("disable_wal");
    Progress progress;
    uint64_t bad_lines = 0;
    std::string key;
    std::string value;
    for (std::string line; std::getline(std::cin, line, '\n');) {
      if (ParseKeyValue(line, &key, &value, is_key_hex_, is_value_hex_)) {
        const Status s = db_->Put(write, GetCfHandle(), key, value);
        if (!s.ok()) return Fail("Load failed", s);
        progress.Count("entries loaded");
      } else if (exec_state_.IsFailed()) {
        return;
      } else if (!IsOtherOutput(line)) {
        ++bad_lines;
      }
    }
    progress.Clear();
    if (bad_lines > 0) PrintLine(BadLinesText(bad_lines));
  }

  // What no log has goes to a table, also what came before a failure: the
  // database may be one that avoids a flush when it is closed.
  void FlushLoaded() {
    FlushOptions flush;
    flush.allow_write_stall = true;  // No write comes behind it.
    const Status s = db_->Flush(flush, GetCfHandle());
    if (s.ok()) return;
    if (exec_state_.IsFailed()) {
      std::fprintf(stderr, "%s\n", exec_state_.ToString().c_str());
    }
    Fail("What was loaded without the log is not stored", s);
  }
};

// The words of a line, split at single blanks: an empty line is one word.
std::vector<std::string> WordsOf(const std::string& line) {
  std::vector<std::string> words;
  for (size_t begin = 0;;) {
    const size_t end = line.find(' ', begin);
    words.push_back(line.substr(begin, end - begin));
    if (end == std::string::npos) return words;
    begin = end + 1;
  }
}

// One line of the shell of query.
struct QueryLine {
  std::string text;
  std::vector<std::string> words;
  std::map<std::string, std::string> options;
  std::vector<std::string> flags;
};

class QueryCommand : public Command {
 public:
  using Command::Command;

  void DoCommand() override {
    if (db_ == nullptr) return;
    for (std::string text; std::getline(std::cin, text, '\n');) {
      QueryLine line;
      line.text = text;
      ParsedParams parsed;
      for (const std::string& word : WordsOf(text)) {
        ParseSingleParam(word, parsed, line.words);
      }
      line.options = parsed.option_map;
      line.flags = parsed.flags;
      const Status s = Answer(line);
      std::fflush(stdout);
      if (!s.ok() && !s.IsNotFound() && !s.IsInvalidArgument()) {
        return Fail(s.ToString());
      }
      if (is_hex_bad_) return;
    }
  }

 private:
  // What the word says in hex or plain.
  std::string Decoded(const std::string& word, bool is_hex) {
    if (!is_hex) return word;
    std::string bytes;
    std::string error;
    if (DecodeHex(word, &bytes, &error)) return bytes;
    Fail(error);
    is_hex_bad_ = true;
    return bytes;
  }
  std::string InKeyForm(const std::string& key) const {
    return is_key_hex_ ? StringToHex(key) : key;
  }
  std::string InValueForm(const std::string& value) const {
    return is_value_hex_ ? StringToHex(value) : value;
  }

  Status Answer(const QueryLine& line) {
    if (!line.flags.empty() || line.words.empty()) {
      PrintLine("Bad command");
      return Status::OK();
    }
    const std::string& verb = line.words[0];
    const size_t count = line.words.size();
    if (verb == "help" && count == 1) return Help();
    if (verb == "get" && count == 2) return Get(line);
    if (verb == "put") return Put(line);
    if (verb == "delete") return Delete(line);
    if (verb == "count") return Count(line);
    PrintLine("Unknown command " + line.text);
    return Status::OK();
  }

  Status Help() {
    Print(
        "get <key> [--read_timestamp=<uint64_ts>]\n"
        "put <key> [<write_timestamp>] <value>\n"
        "delete <key> [<write_timestamp>]\n"
        "count [--from=<start_key>] [--to=<end_key>] "
        "[--read_timestamp=<uint64_ts>]\n");
    return Status::OK();
  }

  // Takes the timestamp from the line's --read_timestamp, if it has one.
  // InvalidArgument: it is no number.
  Status TakeReadTimestamp(const QueryLine& line, ReadOptions* read) {
    const auto found = line.options.find(ARG_READ_TIMESTAMP);
    if (found == line.options.end()) return Status::OK();
    uint64_t number = 0;
    if (!WholeNumber(found->second, &number)) {
      return Status::InvalidArgument(
          "user provided timestamp is not a valid uint64 value.");
    }
    shown_timestamp_ = " read_timestamp: " + found->second;
    EncodeTimestamp(number);
    read->timestamp = &timestamp_slice_;
    return Status::OK();
  }
  void EncodeTimestamp(uint64_t number) {
    timestamp_.clear();
    PutFixed64(&timestamp_, number);
    timestamp_slice_ = timestamp_;
  }

  Status Get(const QueryLine& line) {
    shown_timestamp_.clear();
    for (const auto& [name, value] : line.options) {
      if (name != ARG_READ_TIMESTAMP) {
        PrintLine("get gets invalid arguments");
        return Status::OK();
      }
    }
    const std::string key = Decoded(line.words[1], is_key_hex_);
    if (is_hex_bad_) return Status::OK();
    ReadOptions read;
    std::string value;
    Status s = TakeReadTimestamp(line, &read);
    if (s.ok()) s = db_->Get(read, GetCfHandle(), key, &value);
    // Between the two stands nothing where the family has no timestamps.
    const bool names_time =
        !shown_timestamp_.empty() &&
        GetCfHandle()->GetComparator()->timestamp_size() > 0;
    const std::string time =
        shown_timestamp_.empty()
            ? ""
            : (names_time ? shown_timestamp_ : " read_timestamp: ");
    if (s.ok()) {
      PrintLine(InKeyForm(key) + time + DELIM + InValueForm(value));
    } else {
      PrintLine("get " + InKeyForm(key) + time + " status: " + s.ToString());
    }
    return s;
  }

  // A timestamp among the words of put and delete.
  Status TakeWriteTimestamp(const std::string& word) {
    uint64_t number = 0;
    if (!WholeNumber(word, &number)) {
      return Status::InvalidArgument(
          "user provided timestamp is not a valid uint64 value.");
    }
    EncodeTimestamp(number);
    return Status::OK();
  }

  Status Put(const QueryLine& line) {
    const size_t count = line.words.size();
    if ((count != 3 && count != 4) || !line.options.empty()) {
      return Refuse("put");
    }
    const bool is_timed = count == 4;
    if (is_timed) {
      const Status s = TakeWriteTimestamp(line.words[2]);
      if (!s.ok()) {
        PrintLine("put gets invalid argument: " + s.ToString());
        return s;
      }
    }
    const std::string key = Decoded(line.words[1], is_key_hex_);
    const std::string value = Decoded(line.words[count - 1], is_value_hex_);
    if (is_hex_bad_) return Status::OK();
    const Status s = is_timed
                         ? db_->Put(WriteOptions(), GetCfHandle(), key,
                                    timestamp_slice_, value)
                         : db_->Put(WriteOptions(), GetCfHandle(), key, value);
    const std::string what = "put " + InKeyForm(key) +
                             (is_timed ? " write_ts: " + line.words[2] : "") +
                             " => " + InValueForm(value);
    return Report(what, s);
  }

  Status Delete(const QueryLine& line) {
    const size_t count = line.words.size();
    if ((count != 2 && count != 3) || !line.options.empty()) {
      return Refuse("delete");
    }
    const bool is_timed = count == 3;
    if (is_timed) {
      const Status s = TakeWriteTimestamp(line.words[2]);
      if (!s.ok()) {
        PrintLine("delete gets invalid argument: " + s.ToString());
        return s;
      }
    }
    const std::string key = Decoded(line.words[1], is_key_hex_);
    if (is_hex_bad_) return Status::OK();
    const Status s = is_timed ? db_->Delete(WriteOptions(), GetCfHandle(), key,
                                            timestamp_slice_)
                              : db_->Delete(WriteOptions(), GetCfHandle(), key);
    return Report("delete " + InKeyForm(key) +
                      (is_timed ? " write_ts: " + line.words[2] : ""),
                  s);
  }

  Status Count(const QueryLine& line) {
    for (const auto& [name, value] : line.options) {
      if (name != ARG_FROM && name != ARG_TO && name != ARG_READ_TIMESTAMP) {
        return Refuse("count");
      }
    }
    if (line.words.size() != 1) return Refuse("count");
    ReadOptions read;
    read.total_order_seek = true;
    Status s = TakeReadTimestamp(line, &read);
    const auto bound = [&](const std::string& name) {
      const auto found = line.options.find(name);
      return found == line.options.end() ? std::string()
                                         : Decoded(found->second, is_key_hex_);
    };
    const std::string from = bound(ARG_FROM);
    const std::string to = bound(ARG_TO);
    if (is_hex_bad_) return Status::OK();
    uint64_t count = 0;
    if (s.ok()) s = CountKeys(read, from, to, &count);
    if (s.ok()) {
      PrintLine(std::to_string(count));
    } else {
      PrintLine("count failed: " + s.ToString());
    }
    return s;
  }
  Status CountKeys(const ReadOptions& read, const std::string& from,
                   const std::string& to, uint64_t* count) {
    const Comparator* const comparator = GetCfHandle()->GetComparator();
    const std::unique_ptr<Iterator> cursor(
        db_->NewIterator(read, GetCfHandle()));
    if (from.empty()) {
      cursor->SeekToFirst();
    } else {
      cursor->Seek(from);
    }
    for (; cursor->Valid(); cursor->Next()) {
      if (!to.empty() && comparator->CompareWithoutTimestamp(
                             cursor->key(), false, to, false) >= 0) {
        break;
      }
      ++*count;
    }
    return cursor->status();
  }

  Status Refuse(const std::string& verb) {
    PrintLine(verb + " gets invalid arguments");
    return Status::OK();
  }
  Status Report(const std::string& what, const Status& s) {
    PrintLine(what + (s.ok() ? " succeeded" : " failed: " + s.ToString()));
    return s;
  }

  bool is_hex_bad_ = false;
  std::string shown_timestamp_;
  std::string timestamp_;
  Slice timestamp_slice_;
};

}  // namespace

const std::vector<CommandRow>& LoadCommands() {
  static const std::vector<CommandRow> kRows = {
      {"load",
       Opens::kForWriting,
       "[--create_if_missing] [--disable_wal] [--bulk_load] [--compact] "
       "[--hex] [--key_hex] [--value_hex]",
       "Writes the pairs that standard input gives as lines '<key> ==> "
       "<value>', such as dump prints. Use --hex for both where a key or a "
       "value may hold the end of a line.",
       {"hex", "key_hex", "value_hex", "from", "to", "create_if_missing",
        "disable_wal", "bulk_load", "compact"},
       &MakeCommand<LoadCommand>},
      {"query",
       Opens::kForWriting,
       "[--ttl] [--hex] [--key_hex] [--value_hex]",
       "Answers lines of standard input: get, put, delete, count, help.",
       {"ttl", "hex", "key_hex", "value_hex"},
       &MakeCommand<QueryCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
