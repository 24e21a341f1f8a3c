// The language of the script about databases whose values live for a time.
//
//   ttl OPTION..           nothing is open yet, and the clock stands at 0: that
//                          is in 2020. OPTIONs: merges, blobs, at:SECONDS (of
//                          the clock, since 1970)
//   WHO: STEP; STEP..      one line of answers each; "OK" if all are
//
// WHO is clock (wait SECONDS), ttl, or base: the database below. A KEY is in
// the family "default" unless it is FAMILY/KEY.
//
// Steps of ttl:
//   open SECONDS, read_only SECONDS, families NAME=SECONDS.. [read_only]
//   create NAME [SECONDS], set SECONDS [FAMILY], lives FAMILY, close
//   put KEY VALUE, merge KEY VALUE, delete KEY, get KEY, get_all KEY.., scan,
//   may_exist KEY, operands KEY, flush, compact [FAMILY]
//   write UPDATE..: KIND,KEY,VALUE of put, merge, delete, single_delete, range,
//   entity, timed; data,TEXT
// Steps of base: put KEY VALUE [at:SECONDS] (behind it, since 1970), get KEY
//   (the value, and since the start when it was written)
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "env/composite_env.h"
#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/db_ttl.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/script.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

class TtlWorld {
 public:
  explicit TtlWorld(const ScriptWords& command)
      : start_(command.Number("at", 1600000000)),
        clock_(std::make_shared<MockClock>(start_ * 1000000)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = command.HasWord("blobs");
    if (command.HasWord("merges")) {
      options_.merge_operator = NewStringAppendOperator();
    }
  }
  ~TtlWorld() { Close(); }
  TtlWorld(const TtlWorld&) = delete;
  TtlWorld& operator=(const TtlWorld&) = delete;

  std::string Take(const std::string& who, const ScriptWords& step) {
    if (who == "clock") {
      clock_->Advance(std::stoull(step.Word(0)) * 1000000);
      return "OK";
    }
    if (who == "base") return TakeOfBase(step);
    EXPECT_EQ(who, "ttl");
    if (step.verb() == "close") return Close(), "OK";
    if (step.verb() == "open" || step.verb() == "read_only") {
      return Open({{"default", step.Word(0)}}, step.verb() == "read_only")
          .ToString();
    }
    if (step.verb() == "families") return OpenFamilies(step).ToString();
    if (IsRead(step.verb())) return TakeOfReads(step);
    if (step.verb() == "lives") {
      int32_t ttl = -7;
      const Status s = ttl_->GetTtl(Family(step.Word(0)), &ttl);
      return s.ok() ? std::to_string(ttl) : s.ToString();
    }
    return TakeOfWrites(step).ToString();
  }

 private:
  using Lives = std::vector<std::pair<std::string, std::string>>;

  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_TRUE(ttl_->DestroyColumnFamilyHandle(handle).ok());
    }
    handles_.clear();
    ttl_.reset();
  }
  Status Open(const Lives& lives, bool is_read_only) {
    Close();
    std::vector<ColumnFamilyDescriptor> families;
    std::vector<int32_t> ttls;
    for (const auto& [name, seconds] : lives) {
      families.emplace_back(name, options_);
      if (seconds != "none") ttls.push_back(std::stoi(seconds));
    }
    DBWithTTL* db = nullptr;
    const Status s = DBWithTTL::Open(options_, "/db", families, &handles_, &db,
                                     ttls, is_read_only);
    ttl_.reset(db);
    return s;
  }
  Status OpenFamilies(const ScriptWords& step) {
    Lives lives;
    for (const std::string& word : step.words()) {
      const size_t at = word.find('=');
      if (at == std::string::npos) continue;
      lives.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    return Open(lives, step.HasWord("read_only"));
  }

  ColumnFamilyHandle* Family(const std::string& name) const {
    for (ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() == name) return handle;
    }
    ADD_FAILURE() << "no family " << name;
    return nullptr;
  }
  ColumnFamilyHandle* FamilyOf(const std::string& key) const {
    const size_t slash = key.find('/');
    return Family(slash == std::string::npos ? "default"
                                             : key.substr(0, slash));
  }
  static std::string KeyIn(const std::string& key) {
    return key.substr(key.find('/') + 1);  // 0 where there is none
  }
  static std::string ReadText(const Status& s, const std::string& value) {
    if (s.IsNotFound()) return "-";
    return TextOfBytes(s.ok() ? value : s.ToString());
  }

  std::string TakeOfBase(const ScriptWords& step) {
    DB* const base = ttl_->GetBaseDB();
    const std::string& key = step.Word(0);
    if (step.verb() == "put") {
      std::string value = step.Word(1);
      if (step.Has("at")) {
        PutFixed32(&value, static_cast<uint32_t>(step.Number("at", 0)));
      }
      return base->Put(WriteOptions(), FamilyOf(key), KeyIn(key), value)
          .ToString();
    }
    EXPECT_EQ(step.verb(), "get");
    std::string value;
    const Status s =
        base->Get(ReadOptions(), FamilyOf(key), KeyIn(key), &value);
    if (!s.ok() || value.size() < 4) return ReadText(s, value);
    const size_t size = value.size() - 4;
    const int64_t seconds = DecodeFixed32(value.data() + size);
    const int64_t since = seconds - static_cast<int64_t>(start_);
    return value.substr(0, size) + ", at " + std::to_string(since);
  }

  static bool IsRead(const std::string& verb) {
    return verb == "get" || verb == "get_all" || verb == "scan" ||
           verb == "may_exist" || verb == "operands";
  }
  std::string TakeOfReads(const ScriptWords& step) {
    if (step.verb() == "scan") return Scan();
    if (step.verb() == "get_all") return GetAll(step);
    const std::string& key = step.Word(0);
    std::string value;
    if (step.verb() == "get") {
      const Status s =
          ttl_->Get(ReadOptions(), FamilyOf(key), KeyIn(key), &value);
      PinnableSlice pinned;
      const Status also =
          ttl_->Get(ReadOptions(), FamilyOf(key), KeyIn(key), &pinned);
      EXPECT_EQ(also, s);
      if (s.ok()) {
        EXPECT_EQ(pinned, value);
      }
      return ReadText(s, value);
    }
    if (step.verb() == "may_exist") {
      return ttl_->KeyMayExist(ReadOptions(), FamilyOf(key), KeyIn(key), &value)
                 ? "yes"
                 : "no";
    }
    std::vector<PinnableSlice> operands(9);
    GetMergeOperandsOptions wanted;
    wanted.expected_max_number_of_operands = 9;
    int count = 0;
    const Status s =
        ttl_->GetMergeOperands(ReadOptions(), FamilyOf(key), KeyIn(key),
                               operands.data(), &wanted, &count);
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += (i > 0 ? " " : "") + operands[static_cast<size_t>(i)].ToString();
    }
    return ReadText(s, text);
  }
  std::string Scan() {
    const std::unique_ptr<Iterator> it(ttl_->NewIterator(ReadOptions()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += (text.empty() ? "" : " ") + it->key().ToString() + "=" +
              it->value().ToString();
    }
    if (!it->status().ok()) {
      text += (text.empty() ? "" : " ") + it->status().ToString();
    }
    return TextOfBytes(text.empty() ? "-" : text);
  }
  std::string GetAll(const ScriptWords& step) {
    const std::vector<Slice> keys(step.words().begin(), step.words().end());
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        ttl_->MultiGet(ReadOptions(), keys, &values);
    std::string text;
    for (size_t i = 0; i < keys.size(); ++i) {
      text += (i > 0 ? ", " : "") + ReadText(statuses[i], values[i]);
    }
    return text;
  }

  Status TakeOfWrites(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "write") return Write(step);
    if (verb == "flush") return ttl_->Flush(FlushOptions(), handles_);
    if (verb == "compact") {
      CompactRangeOptions options;
      options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      const std::string name = step.words().empty() ? "default" : step.Word(0);
      return ttl_->CompactRange(options, Family(name), nullptr, nullptr);
    }
    if (verb == "create") return Create(step);
    if (verb == "set") {
      const int32_t seconds = std::stoi(step.Word(0));
      if (step.words().size() > 1) {
        ttl_->SetTtl(Family(step.Word(1)), seconds);
      } else {
        ttl_->SetTtl(seconds);
      }
      return Status::OK();
    }
    const std::string& key = step.Word(0);
    ColumnFamilyHandle* const family = FamilyOf(key);
    const WriteOptions options;
    if (verb == "delete") return ttl_->Delete(options, family, KeyIn(key));
    const std::string& value = step.Word(1);
    if (verb == "put") return ttl_->Put(options, family, KeyIn(key), value);
    EXPECT_EQ(verb, "merge");
    return ttl_->Merge(options, family, KeyIn(key), value);
  }
  Status Create(const ScriptWords& step) {
    ColumnFamilyHandle* made = nullptr;
    const Status s =
        step.words().size() > 1
            ? ttl_->CreateColumnFamilyWithTtl(options_, step.Word(0), &made,
                                              std::stoi(step.Word(1)))
            : ttl_->CreateColumnFamily(options_, step.Word(0), &made);
    if (s.ok()) handles_.push_back(made);
    return s;
  }
  // The batch stays as it was.
  Status Write(const ScriptWords& step) {
    WriteBatch batch(0, 0, /*protection_bytes_per_key=*/8, 0);
    for (const std::string& word : step.words()) {
      std::vector<std::string> parts = SplitString(word, ',');
      parts.resize(3);
      const auto& [kind, key, value] = std::tie(parts[0], parts[1], parts[2]);
      if (kind == "data") {
        EXPECT_TRUE(batch.PutLogData(key).ok());
        continue;
      }
      ColumnFamilyHandle* const family = FamilyOf(key);
      Status s = Status::InvalidArgument(word);
      if (kind == "put") s = batch.Put(family, KeyIn(key), value);
      if (kind == "merge") s = batch.Merge(family, KeyIn(key), value);
      if (kind == "delete") s = batch.Delete(family, KeyIn(key));
      if (kind == "single_delete") s = batch.SingleDelete(family, KeyIn(key));
      if (kind == "range") s = batch.DeleteRange(family, KeyIn(key), value);
      if (kind == "timed") s = batch.TimedPut(family, KeyIn(key), value, 100);
      if (kind == "entity") {
        s = batch.PutEntity(family, KeyIn(key),
                            {{kDefaultWideColumnName, value}});
      }
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    const std::string before = batch.Data();
    const Status written = ttl_->Write(WriteOptions(), &batch);
    EXPECT_EQ(batch.Data().substr(8), before.substr(8));
    return written;
  }

  const uint64_t start_;
  const std::shared_ptr<MockClock> clock_;
  const std::unique_ptr<Env> env_ = std::make_unique<CompositeEnvWrapper>(
      Env::Default(), std::make_shared<MemFileSystem>(), clock_);
  Options options_;
  std::unique_ptr<DBWithTTL> ttl_;
  std::vector<ColumnFamilyHandle*> handles_;
};

}  // namespace ROCKSDB_NAMESPACE
