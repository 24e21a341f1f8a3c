// Commands that go through the keys of a range: scan, dump, idump.

#include <cstdio>
#include <memory>
#include <optional>

#include "file/yielding_limiter.h"
#include "monitoring/histogram.h"
#include "rocksdb/cache.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/table.h"
#include "tools/ldb/command.h"
#include "tools/ldb/entry_text.h"
#include "tools/ldb/file_dumps.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/json_pairs.h"
#include "tools/ldb/key_counts.h"
#include "tools/ldb/live/resident_files.h"
#include "tools/ldb/progress.h"
#include "tools/ldb/ttl_times.h"
#include "util/coding.h"
#include "utilities/debug/key_visitor.h"
#include "utilities/ttl/ttl_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Enough at once for a device to be busy, and little for a control group.
constexpr size_t kReadaheadBytes = 512 << 10;
// For the index of the file that is read, and hardly for another.
constexpr size_t kCacheBytes = 64 << 10;
constexpr int kMostOpeners = 1;

class RangeCommand : public Command {
 public:
  using Command::Command;

  enum class HasValue { kNo, kYes };

  // Whoever looks at all keys must neither push out of memory what the
  // database's users have there, nor keep the device from them. Where all is in
  // memory already there is nothing to push out.
  void OverrideBaseOptions() override {
    Command::OverrideBaseOptions();
    if (!GoesThroughAll()) return;
    options_.rate_limiter = YieldingLimiter::Below(db_path_, options_.env);
    // Each thread that opens files takes memory.
    options_.max_file_opening_threads = kMostOpeners;
    const bool is_plain =
        !is_db_ttl_ && secondary_path_.empty() && leader_path_.empty();
    if (is_plain) {
      options_.use_direct_reads =
          !IsAllResident({db_path_, options_, column_families_});
    }
  }

  // All files stay open, since a writer beside this one may delete them, but
  // their indexes go when the cache that they are in has others.
  void OverrideBaseCFOptions(ColumnFamilyOptions* family) override {
    Command::OverrideBaseCFOptions(family);
    if (!GoesThroughAll() || family->table_factory == nullptr) return;
    const auto* given =
        family->table_factory->GetOptions<BlockBasedTableOptions>();
    if (given == nullptr) return;
    BlockBasedTableOptions table = *given;
    table.no_block_cache = false;
    table.block_cache = NewLRUCache(kCacheBytes, /*num_shard_bits=*/0);
    table.cache_index_and_filter_blocks = true;
    table.pin_l0_filter_and_index_blocks_in_cache = false;
    family->table_factory.reset(NewBlockBasedTableFactory(table));
  }

 protected:
  // --from, --to and --max_keys.
  void TakeRange(const char* ending) {
    if (HasOption(ARG_FROM)) from_ = KeyOf(Option(ARG_FROM));
    if (HasOption(ARG_TO)) to_ = KeyOf(Option(ARG_TO));
    max_keys_ = MaxKeys(-1, ending);
  }
  void TakeTimes() {
    IntOption(ARG_TTL_START, &times_.begin);
    IntOption(ARG_TTL_END, &times_.end);
  }
  // False: the command ends here.
  bool TimesAreGood() {
    if (times_.end >= times_.begin) return true;
    std::fprintf(stderr, "Error: End time can't be less than start time\n");
    if (!exec_state_.IsFailed()) Fail("end_time is before start_time");
    return false;
  }
  void PrintTimes(const char* what) const {
    if (!is_db_ttl_ || !timestamp_ || wants_json()) return;
    PrintLine(std::string(what) + " key-values from " + TimeText(times_.begin) +
              " to " + TimeText(times_.end));
  }
  bool IsBehindRange(const Slice& key) {
    return to_.has_value() &&
           GetCfHandle()->GetComparator()->CompareWithoutTimestamp(
               key, false, *to_, false) >= 0;
  }
  // The write time of the iterator's value; nullopt: it is not to be shown.
  std::optional<int64_t> WriteTime(const Iterator& iterator) const {
    if (!is_db_ttl_) return 0;
    const auto& ttl = static_cast<const TtlIterator&>(iterator);
    const int64_t seconds = ttl.ttl_timestamp();
    if (!times_.IsShown(seconds)) return std::nullopt;
    return seconds;
  }
  // Are few keys unlikely to be enough?
  bool GoesThroughAll() const { return max_keys_ < 0; }
  // Sets how much is read at a time.
  void ReadAhead() {
    read_.fill_cache = false;
    if (!GoesThroughAll()) return;
    read_.readahead_size = kReadaheadBytes;
    read_.async_io = true;
    // The limiter's to hold back.
    read_.rate_limiter_priority = Env::IO_LOW;
  }
  std::unique_ptr<Iterator> NewCursor() {
    ReadAhead();
    read_.total_order_seek = true;
    std::unique_ptr<Iterator> cursor(db_->NewIterator(read_, GetCfHandle()));
    if (from_.empty()) {
      cursor->SeekToFirst();
    } else {
      cursor->Seek(from_);
    }
    return cursor;
  }
  JsonObject PairJson(const Iterator& cursor, HasValue has_value) {
    const Comparator* const comparator = GetCfHandle()->GetComparator();
    JsonObject object;
    AddBytes(&object, "key", cursor.key());
    if (comparator->timestamp_size() > 0) {
      object.Add("timestamp",
                 comparator->TimestampToString(cursor.timestamp()));
    }
    if (has_value == HasValue::kYes) {
      AddValue(&object, cursor.value(), cursor.columns());
    }
    return object;
  }
  void AddWriteTime(int64_t seconds, JsonObject* object) const {
    if (!is_db_ttl_ || !timestamp_) return;
    object->AddRaw("write_time", std::to_string(seconds));
  }
  // What a count is of, and in which order its keys are.
  void PrintCountJson(const char* name, uint64_t count) {
    PrintLine(JsonObject()
                  .Add(name, count)
                  .Add("column_family", column_family_name_)
                  .Add("comparator", GetCfHandle()->GetComparator()->Name())
                  .Text());
  }
  void PrintPair(const Iterator& cursor) {
    if (!IsPlain(cursor)) return PrintLine(Pair(cursor));
    line_.assign(cursor.key().data(), cursor.key().size());
    line_.append(DELIM);
    line_.append(cursor.value().data(), cursor.value().size());
    line_.push_back('\n');
    Print(line_);
  }
  // Are key and value shown as they are?
  bool IsPlain(const Iterator& cursor) {
    if (is_key_hex_ || is_value_hex_ || ldb_options_.key_formatter != nullptr ||
        GetCfHandle()->GetComparator()->timestamp_size() > 0) {
      return false;
    }
    const WideColumns& columns = cursor.columns();
    return columns.empty() ||
           (columns.size() == 1 && columns[0].name().empty());
  }
  std::string Pair(const Iterator& cursor) {
    const Comparator* const comparator = GetCfHandle()->GetComparator();
    const bool has_timestamp = comparator->timestamp_size() > 0;
    const Slice timestamp = has_timestamp ? cursor.timestamp() : Slice();
    if (is_key_hex_ || ldb_options_.key_formatter == nullptr) {
      return PrintKeyValueOrWideColumns(cursor.key(), timestamp, cursor.value(),
                                        cursor.columns(), is_key_hex_,
                                        is_value_hex_, comparator);
    }
    return PrintKeyValueOrWideColumns(ShownKey(cursor.key()), timestamp,
                                      cursor.value(), cursor.columns(), false,
                                      is_value_hex_, comparator);
  }

  std::string from_;  // empty: the first key
  std::optional<std::string> to_;
  int max_keys_ = -1;
  TtlTimes times_;
  ReadOptions read_;

 private:
  std::string line_;  // keeps its room from one pair to the next
};

class ScanCommand : public RangeCommand {
 public:
  using RangeCommand::RangeCommand;
  void Parse() override {
    TakeRange("");
    TakeTimes();
  }
  void DoCommand() override {
    if (db_ == nullptr || !TimesAreGood()) return;
    Slice timestamp;
    Status s = MaybePopulateReadTimestamp(GetCfHandle(), read_, &timestamp);
    if (!s.ok()) return Fail("Scan failed", s);
    PrintTimes("Scanning");
    const std::unique_ptr<Iterator> cursor = NewCursor();
    int count = 0;
    Progress progress(Progress::BesideOutput::kYes);
    for (; cursor->Valid() && !IsBehindRange(cursor->key()); cursor->Next()) {
      progress.Count("entries");
      const std::optional<int64_t> seconds = WriteTime(*cursor);
      if (!seconds.has_value()) continue;
      Show(*cursor, *seconds);
      // Scripts rely on one key where none is asked for.
      if (++count >= max_keys_ && max_keys_ >= 0) break;
    }
    if (!cursor->status().ok()) Fail(cursor->status().ToString());
  }

 private:
  void Show(Iterator& cursor, int64_t seconds) {
    if (wants_json()) return ShowJson(cursor, seconds);
    if (is_db_ttl_ && timestamp_) Print(TimeText(seconds) + " ");
    if (HasFlag(ARG_NO_VALUE)) {
      PrintLine(ShownKey(cursor.key()));
    } else {
      PrintPair(cursor);
    }
    if (!HasFlag(ARG_GET_WRITE_UNIX_TIME)) return;
    PrintLine("  write unix time: " +
              std::to_string(WriteUnixTime(cursor).value_or(UINT64_MAX)));
  }
  void ShowJson(Iterator& cursor, int64_t seconds) {
    JsonObject object = PairJson(
        cursor, HasFlag(ARG_NO_VALUE) ? HasValue::kNo : HasValue::kYes);
    AddWriteTime(seconds, &object);
    if (HasFlag(ARG_GET_WRITE_UNIX_TIME)) {
      const std::optional<uint64_t> time = WriteUnixTime(cursor);
      object.AddRaw("write_unix_time",
                    time.has_value() ? std::to_string(*time) : "null");
    }
    PrintLine(object.Text());
  }
  // None: it is not known.
  static std::optional<uint64_t> WriteUnixTime(Iterator& cursor) {
    std::string encoded;
    const Status s =
        cursor.GetProperty("rocksdb.iterator.write-time", &encoded);
    if (!s.ok() || encoded.size() != sizeof(uint64_t)) return std::nullopt;
    const uint64_t time = DecodeFixed64(encoded.data());
    if (time == UINT64_MAX) return std::nullopt;
    return time;
  }
};

// What dump and idump count beside showing entries.
class CountingCommand : public RangeCommand {
 public:
  using RangeCommand::RangeCommand;

 protected:
  void TakeCounts() {
    only_counts_ = HasFlag("count_only");
    const auto form =
        wants_json() ? PrefixCounts::Form::kJson : PrefixCounts::Form::kText;
    if (HasOption("count_delim")) {
      prefixes_.emplace(Option("count_delim")[0], form);
    } else if (HasFlag("count_delim")) {
      prefixes_.emplace('.', form);
    }
  }
  void PrintStatsIfWanted() {
    if (!HasFlag("stats")) return;
    std::string stats;
    if (!db_->GetProperty(GetCfHandle(), "rocksdb.stats", &stats)) return;
    PrintLine(wants_json() ? JsonObject().Add("stats", stats).Text() : stats);
  }

  // Where entries are shown, they say by themselves how far this is.
  Progress::BesideOutput ShowsWhere() const {
    return only_counts_ || prefixes_.has_value() ? Progress::BesideOutput::kNo
                                                 : Progress::BesideOutput::kYes;
  }

  bool only_counts_ = false;
  std::optional<PrefixCounts> prefixes_;
};

class DumpCommand : public CountingCommand {
 public:
  using CountingCommand::CountingCommand;
  void Parse() override {
    path_ = Option(ARG_PATH);
    TakeRange("");
    TakeTimes();
    TakeCounts();
    IntOption("bucket", &times_.bucket);
  }
  bool NoDBOpen() override { return !path_.empty() && db_path_.empty(); }

  void DoCommand() override {
    if (db_ == nullptr) {
      // What was not opened may be a file, and is told by its name.
      if (exec_state_.IsFailed() || db_path_.empty()) DumpPath();
      return;
    }
    if (!TimesAreGood()) return;
    std::string newest(GetCfHandle()->GetComparator()->timestamp_size(),
                       '\xff');
    const Slice timestamp(newest);
    if (!newest.empty()) read_.timestamp = &timestamp;
    PrintStatsIfWanted();
    if (!only_counts_ && !prefixes_.has_value()) PrintTimes("Dumping");
    DumpRange();
  }

 private:
  void DumpPath() {
    FileDumpRequest request;
    request.path = path_;
    request.env = options_.env;
    request.keys = is_key_hex_ ? Bytes::kHex : Bytes::kPlain;
    request.values = is_value_hex_ ? Bytes::kHex : Bytes::kPlain;
    request.from = from_;
    request.to = to_;
    request.decodes_blob_references = HasFlag(ARG_DECODE_BLOB_INDEX);
    request.uncompresses_blobs = HasFlag(ARG_DUMP_UNCOMPRESSED_BLOBS);
    request.as_json = wants_json();
    Take(DumpFileByName(request));
  }

  void DumpRange() {
    const std::unique_ptr<Iterator> cursor = NewCursor();
    uint64_t count = 0;
    HistogramImpl value_sizes;
    TimeBuckets buckets(times_);
    const bool counts_times = is_db_ttl_ && buckets.AreSeveral();
    Progress progress(ShowsWhere());
    for (; cursor->Valid() && !IsBehindRange(cursor->key()); cursor->Next()) {
      progress.Count("entries");
      if (max_keys_ >= 0 && count >= static_cast<uint64_t>(max_keys_)) break;
      const std::optional<int64_t> seconds = WriteTime(*cursor);
      if (!seconds.has_value()) continue;
      if (counts_times) buckets.Add(*seconds);
      ++count;
      if (only_counts_) value_sizes.Add(cursor->value().size());
      Show(*cursor, *seconds);
    }
    progress.Clear();
    if (prefixes_.has_value()) {
      prefixes_->PrintCount();
    } else if (counts_times && wants_json()) {
      buckets.PrintJson();
    } else if (counts_times) {
      buckets.PrintCounts();
    } else if (wants_json()) {
      PrintCountJson("keys_in_range", count);
    } else {
      PrintLine("Keys in range: " + std::to_string(count));
    }
    if (only_counts_) PrintSizes(value_sizes);
    if (!cursor->status().ok()) Fail("Iterator error", cursor->status());
  }

  void PrintSizes(const HistogramImpl& value_sizes) const {
    if (!wants_json()) {
      Print("Value size distribution: \n" + value_sizes.ToString() + "\n");
      return;
    }
    HistogramData sizes;
    value_sizes.Data(&sizes);
    const auto number = [](double value) { return std::to_string(value); };
    PrintLine(JsonObject()
                  .Add("values", sizes.count)
                  .Add("value_bytes", sizes.sum)
                  .AddRaw("smallest", number(sizes.min))
                  .AddRaw("average", number(sizes.average))
                  .AddRaw("median", number(sizes.median))
                  .AddRaw("percentile95", number(sizes.percentile95))
                  .AddRaw("percentile99", number(sizes.percentile99))
                  .AddRaw("largest", number(sizes.max))
                  .Text());
  }

  void Show(const Iterator& cursor, int64_t seconds) {
    if (prefixes_.has_value()) prefixes_->Add(cursor.key(), cursor.value());
    if (prefixes_.has_value() || only_counts_) return;
    if (wants_json()) {
      JsonObject object = PairJson(cursor, HasValue::kYes);
      AddWriteTime(seconds, &object);
      PrintLine(object.Text());
      return;
    }
    if (is_db_ttl_ && timestamp_) Print(TimeText(seconds) + " ");
    PrintPair(cursor);
  }

  std::string path_;
};

class InternalDumpCommand : public CountingCommand {
 public:
  using CountingCommand::CountingCommand;
  void Parse() override {
    TakeCounts();
    TakeBound(ARG_FROM, &begin_);
    TakeBound(ARG_TO, &end_);
    max_keys_ = MaxKeys(-1, ".");
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    PrintStatsIfWanted();
    const Comparator* const comparator = GetCfHandle()->GetComparator();
    uint64_t count = 0;
    OptSlice begin;
    if (begin_.has_value()) begin = OptSlice(*begin_);
    ReadAhead();
    Progress progress(ShowsWhere());
    const Status s = VisitKeyVersions(
        db_.get(), GetCfHandle(), {begin, OptSlice(), read_},
        [&](const ParsedInternalKey& key, const Slice& value) {
          Slice plain = key.user_key;
          plain.remove_suffix(comparator->timestamp_size());
          if (end_.has_value() && comparator->CompareWithoutTimestamp(
                                      plain, false, *end_, false) >= 0) {
            return false;
          }
          ++count;
          progress.Count("entries");
          Show(key, value, comparator);
          return max_keys_ < 0 || count < static_cast<uint64_t>(max_keys_);
        });
    progress.Clear();
    if (prefixes_.has_value()) {
      prefixes_->PrintCount();
    } else if (wants_json()) {
      PrintCountJson("internal_keys_in_range", count);
    } else {
      PrintLine("Internal keys in range: " + std::to_string(count));
    }
    if (!s.ok()) Fail(s.ToString());
  }

 private:
  void TakeBound(const std::string& name, std::optional<std::string>* bound) {
    if (!HasOption(name)) return;
    bound->emplace(Option(name));
    std::string error;
    if (HasFlag("input_key_hex") &&
        !DecodeHex(Option(name), &**bound, &error)) {
      Fail(error);
    }
  }
  void Show(const ParsedInternalKey& key, const Slice& value,
            const Comparator* comparator) {
    if (prefixes_.has_value()) {
      Slice plain = key.user_key;
      plain.remove_suffix(comparator->timestamp_size());
      prefixes_->Add(plain, value);
    }
    if (prefixes_.has_value() || only_counts_) return;
    if (wants_json()) return ShowJson(key, value, comparator);
    std::string text;
    const ValueState state = StoredValueText(
        key.type, value, is_value_hex_ ? Bytes::kHex : Bytes::kPlain,
        HasFlag(ARG_DECODE_BLOB_INDEX) ? BlobReferences::kDecoded
                                       : BlobReferences::kRaw,
        &text);
    const std::string line =
        InternalKeyText(key, is_key_hex_ ? Bytes::kHex : Bytes::kPlain,
                        comparator) +
        " => " + text;
    if (state == ValueState::kShown) return PrintLine(line);
    std::fprintf(stderr, "%s\n", line.c_str());
    if (state == ValueState::kHidden) return;
    Fail("Corruption: an entry's value could not be decoded");
  }

  static void ShowJson(const ParsedInternalKey& key, const Slice& value,
                       const Comparator* comparator) {
    Slice plain = key.user_key;
    const size_t size = comparator->timestamp_size();
    plain.remove_suffix(size);
    JsonObject object;
    AddBytes(&object, "key", plain);
    if (size > 0) {
      object.Add("timestamp", comparator->TimestampToString(
                                  Slice(plain.data() + plain.size(), size)));
    }
    object.Add("sequence", key.sequence)
        .Add("type", static_cast<uint64_t>(key.type));
    AddBytes(&object, "stored_value", value);
    PrintLine(object.Text());
  }

  std::optional<std::string> begin_;
  std::optional<std::string> end_;
};

}  // namespace

const std::vector<CommandRow>& ScanCommands() {
  static const std::vector<CommandRow> kRows = {
      {"scan",
       Opens::kForReading,
       "[--from=<key>] [--to=<key>] [--max_keys=<n>] [--no_value] [--hex] "
       "[--key_hex] [--value_hex] [--ttl [--timestamp] [--start_time=<n>] "
       "[--end_time=<n>]] [--read_timestamp=<n>] [--get_write_unix_time] "
       "[--json]",
       "Prints '<key> ==> <value>' for the keys from <from> up to, but not "
       "with, <to>.",
       {"json", "ttl", "no_value", "hex", "key_hex", "value_hex", "from", "to",
        "max_keys", "start_time", "end_time", "timestamp", "read_timestamp",
        "get_write_unix_time"},
       &MakeCommand<ScanCommand>},
      {"dump",
       Opens::kForReading,
       "[--from=<key>] [--to=<key>] [--max_keys=<n>] [--count_only] "
       "[--count_delim[=<c>]] [--stats] [--hex] [--key_hex] [--value_hex] "
       "[--ttl [--timestamp] [--start_time=<n>] [--end_time=<n>] "
       "[--bucket=<seconds>]] [--path=<file> [--decode_blob_index] "
       "[--dump_uncompressed_blobs]] [--json]",
       "Prints '<key> ==> <value>' and, in the end, 'Keys in range: <n>'. With "
       "--path instead of --db it shows one file: a log, a table, a manifest "
       "or a blob file, as its name says.",
       {"json", "ttl", "hex", "key_hex", "value_hex", "from", "to", "max_keys",
        "count_only", "count_delim", "stats", "start_time", "end_time",
        "bucket", "timestamp", "path", "decode_blob_index",
        "dump_uncompressed_blobs"},
       &MakeCommand<DumpCommand>},
      {"idump",
       Opens::kForReading,
       "[--from=<key>] [--to=<key>] [--input_key_hex] [--max_keys=<n>] "
       "[--count_only] [--count_delim[=<c>]] [--stats] [--hex] [--key_hex] "
       "[--value_hex] [--decode_blob_index] [--json]",
       "Prints every stored version of the keys, deletions and merge operands "
       "too, the newest first. Hex has no 0x here.",
       {"json", "hex", "key_hex", "value_hex", "from", "to", "max_keys",
        "count_only", "count_delim", "stats", "input_key_hex",
        "decode_blob_index"},
       &MakeCommand<InternalDumpCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
