// Table files that users write and read, by scripts.
//
//   sst OPTIONS           reverse (order), crc (of files), merge (operator)
//   STEPS                 a line each
//
// To write: open [NAME], put KEY VALUE, merge KEY VALUE, delete KEY, range KEY
// KEY (a deletion), entity KEY NAME:VALUE,.., finish; put_ts, delete_ts and
// range_ts (with a timestamp, which keys have none for); drop (the writer
// goes). Only what fails is answered, and finish tells what is in the file.
//
// To read: read [NAME] [reverse] (opens a reader); all, back (from the end),
// to KEY, table (every entry as it is stored), get KEY.., properties, check,
// close. Also: write NAME TEXT (a file that is none), flip NAME N (a bit of its
// byte N), files (those that are there), handles (that are open).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/testing/script.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

class SstScript {
 public:
  explicit SstScript(const ScriptCase& c)
      : command_(c.command),
        fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())),
        env_(NewCompositeEnv(fs_)) {
    EXPECT_EQ(command_.verb(), "sst");
    options_.env = env_.get();
    options_.compression = kNoCompression;
    if (command_.HasWord("merge")) {
      options_.merge_operator = NewStringAppendOperator(",");
    }
    if (command_.HasWord("crc")) {
      options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
    }
    EXPECT_TRUE(fs_->CreateDir("/d", IOOptions(), nullptr).ok());
    NewWriter();
  }

  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Step(ScriptWords(line));
      if (!answer.empty()) text += line + ": " + answer + "\n";
    }
    reader_.reset();
    writer_.reset();
    EXPECT_EQ(fs_->open_handles(), 0u);
    return text;
  }

 private:
  static std::string Failure(const Status& s) {
    return s.ok() ? "" : s.ToString();
  }
  // The N-th word, or an empty one.
  static std::string WordOf(const ScriptWords& step, size_t index) {
    return step.words().size() > index ? step.words()[index] : "";
  }
  static std::string PathOf(const ScriptWords& step) {
    const std::string name = WordOf(step, 0);
    return "/d/" + (name.empty() || name == "reverse" ? "f" : name);
  }
  void NewWriter() {
    const Comparator* const order = command_.HasWord("reverse")
                                        ? ReverseBytewiseComparator()
                                        : BytewiseComparator();
    writer_ = std::make_unique<SstFileWriter>(EnvOptions(), options_, order);
  }

  std::string Step(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "read") return Read(step);
    if (verb == "files") return Files();
    if (verb == "handles") return std::to_string(fs_->open_handles());
    if (verb == "drop") {
      NewWriter();
      return "";
    }
    if (verb == "close") {
      reader_.reset();
      return "";
    }
    if (verb == "write") {
      return Failure(
          WriteStringToFile(env_.get(), WordOf(step, 1), PathOf(step)));
    }
    if (verb == "flip") return Flip(step);
    for (const char* name :
         {"all", "back", "to", "table", "get", "properties", "check"}) {
      if (verb == name) return Ask(step);
    }
    return Write(step);
  }

  // ------------------------------------------------------------- the writer
  std::string Write(const ScriptWords& step) {
    const std::string& verb = step.verb();
    const std::string key = WordOf(step, 0);
    const std::string value = WordOf(step, 1);
    if (verb == "open") {
      path_ = PathOf(step);
      return Failure(writer_->Open(path_));
    }
    if (verb == "put") return Failure(writer_->Put(key, value));
    if (verb == "merge") return Failure(writer_->Merge(key, value));
    if (verb == "delete") return Failure(writer_->Delete(key));
    if (verb == "range") return Failure(writer_->DeleteRange(key, value));
    if (verb == "put_ts") return Failure(writer_->Put(key, "ts", value));
    if (verb == "delete_ts") return Failure(writer_->Delete(key, "ts"));
    if (verb == "range_ts") {
      return Failure(writer_->DeleteRange(key, value, "ts"));
    }
    if (verb == "entity") {
      WideColumns columns;
      for (const auto& [name, text] : step.named()) {
        columns.emplace_back(name, text);
      }
      return Failure(writer_->PutEntity(key, columns));
    }
    EXPECT_EQ(verb, "finish");
    return Finish();
  }
  std::string Finish() {
    ExternalSstFileInfo info;
    const Status s = writer_->Finish(&info);
    if (!s.ok()) return s.ToString();
    uint64_t size = 0;
    EXPECT_TRUE(fs_->GetFileSize(path_, IOOptions(), &size, nullptr).ok());
    EXPECT_EQ(info.file_size, size);
    EXPECT_EQ(writer_->FileSize(), size);
    EXPECT_EQ(info.file_path, path_);
    EXPECT_EQ(info.sequence_number, 0u);
    EXPECT_EQ(info.version, 2);
    std::string text = std::to_string(info.num_entries) + " entries";
    if (info.num_entries > 0) {
      text += " " + info.smallest_key + "-" + info.largest_key;
    }
    if (info.num_range_del_entries > 0) {
      text += ", " + std::to_string(info.num_range_del_entries) + " ranges " +
              info.smallest_range_del_key + "-" + info.largest_range_del_key;
    }
    if (!info.file_checksum_func_name.empty()) {
      text += ", " + info.file_checksum_func_name + " of " +
              std::to_string(info.file_checksum.size()) + " bytes";
    }
    return text;
  }

  // ------------------------------------------------------------- the reader
  std::string Read(const ScriptWords& step) {
    Options options = options_;
    if (step.HasWord("reverse")) {
      options.comparator = ReverseBytewiseComparator();
    }
    // One that is open is asked once more.
    if (reader_ == nullptr) reader_ = std::make_unique<SstFileReader>(options);
    const std::string text = Failure(reader_->Open(PathOf(step)));
    // Checksums are of this very file, whose identity is a random one.
    return text.substr(0, text.find(": stored"));
  }
  std::string Ask(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "get") return Get(step);
    if (verb == "table") return Table();
    if (verb == "properties") return Properties();
    if (verb == "check") {
      const Status s = reader_->VerifyChecksum();
      if (!s.ok()) return s.ToString();
      return reader_->VerifyNumEntries(ReadOptions()).ToString();
    }
    const std::unique_ptr<Iterator> it(reader_->NewIterator(ReadOptions()));
    std::string text;
    const bool goes_back = verb == "back";
    if (verb == "to") {
      it->Seek(WordOf(step, 0));
    } else if (goes_back) {
      it->SeekToLast();
    } else {
      it->SeekToFirst();
    }
    while (it->Valid()) {
      text += (text.empty() ? "" : " ") + Entry(*it);
      if (goes_back) {
        it->Prev();
      } else {
        it->Next();
      }
    }
    if (text.empty()) text = "nothing";
    return it->status().ok() ? text : text + "; " + it->status().ToString();
  }
  static std::string Entry(const Iterator& it) {
    std::string text = it.key().ToString();
    if (it.columns().size() == 1 && it.columns()[0].name().empty()) {
      EXPECT_EQ(it.columns()[0].value(), it.value());
      return text + "=" + it.value().ToString();
    }
    std::string columns;
    for (const WideColumn& column : it.columns()) {
      columns += (columns.empty() ? "" : ",") + column.name().ToString() + ":" +
                 column.value().ToString();
    }
    return text + "{" + columns + "}";
  }
  // KEY:TYPE@SEQUENCE
  std::string Table() {
    const std::unique_ptr<Iterator> it = reader_->NewTableIterator();
    if (it == nullptr) return "no iterator";
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += (text.empty() ? "" : " ") + ExtractUserKey(it->key()).ToString() +
              ":" + std::to_string(ExtractType(it->key())) + "@" +
              std::to_string(ExtractSequence(it->key()));
    }
    if (text.empty()) text = "nothing";
    return it->status().ok() ? text : text + "; " + it->status().ToString();
  }
  std::string Get(const ScriptWords& step) {
    const std::vector<Slice> keys(step.words().begin(), step.words().end());
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        reader_->MultiGet(ReadOptions(), keys, &values);
    EXPECT_EQ(statuses.size(), keys.size());
    // A reader that is not open leaves them alone.
    if (values.empty()) values.resize(keys.size());
    std::string text;
    for (size_t i = 0; i < statuses.size(); ++i) {
      EXPECT_TRUE(statuses[i].ok() || values[i].empty());
      text += i == 0 ? "" : ", ";
      text += statuses[i].ok() ? values[i] : statuses[i].ToString();
    }
    return text.empty() ? "nothing" : text;
  }
  std::string Properties() {
    const auto properties = reader_->GetTableProperties();
    if (properties == nullptr) return "none";
    EXPECT_EQ(properties->orig_file_number, 1u);
    std::string text =
        "db_id \"" + properties->db_id + "\", " +
        std::to_string(properties->num_entries) + " entries, " +
        std::to_string(properties->num_deletions) + " deletions, " +
        std::to_string(properties->num_range_deletions) + " ranges, " +
        std::to_string(properties->num_merge_operands) + " operands";
    for (const auto& [name, value] : properties->user_collected_properties) {
      if (name.find("external_sst_file") == std::string::npos) continue;
      text +=
          ", " + name.substr(name.rfind('.') + 1) + " " + TextOfBytes(value);
    }
    return text;
  }

  // ------------------------------------------------------------------ files
  std::string Flip(const ScriptWords& step) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(env_.get(), PathOf(step), &bytes).ok());
    bytes.at(std::stoul(WordOf(step, 1))) ^= 1;
    return Failure(WriteStringToFile(env_.get(), bytes, PathOf(step)));
  }
  std::string Files() {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren("/d", IOOptions(), &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) {
      text += (text.empty() ? "" : " ") + name;
    }
    return text.empty() ? "none" : text;
  }

  const ScriptWords command_;
  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  std::string path_;  // the file that is being written
  std::unique_ptr<SstFileWriter> writer_;
  std::unique_ptr<SstFileReader> reader_;
};

}  // namespace ROCKSDB_NAMESPACE
