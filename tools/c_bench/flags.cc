#include "tools/c_bench/flags.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

enum class Kind { kText, kNumber, kTruth };

// What becomes of a value.
enum class Use {
  kOwn,     // The program reads it.
  kOption,  // `option`=value, or the flag's own name where that is null.
  kTable,   // The same of the tables' options.
};

struct Row {
  const char* name;
  const char* value;
  Kind kind;
  const char* help;
  Use use = Use::kOwn;
  const char* option = nullptr;
};

constexpr Row kRows[] = {
    {"benchmarks", "fillrandom,readrandom", Kind::kText,
     "what is run, in this order"},
    {"db", "", Kind::kText, "the directory of the database"},
    {"use_existing_db", "false", Kind::kTruth, "fills keep what is there"},
    {"readonly", "false", Kind::kTruth, "open read-only"},
    {"num", "1000000", Kind::kNumber, "keys"},
    {"reads", "-1", Kind::kNumber, "reads of each thread; below 0: num"},
    {"writes", "-1", Kind::kNumber, "writes of each thread; below 0: num"},
    {"duration", "0", Kind::kNumber, "seconds that take the place of counts"},
    {"threads", "1", Kind::kNumber, "threads"},
    {"key_size", "16", Kind::kNumber, "bytes of a key, at least 8"},
    {"value_size", "100", Kind::kNumber, "bytes of a value"},
    {"batch_size", "1", Kind::kNumber, "keys of a MultiGet"},
    {"multiread_batched", "false", Kind::kTruth,
     "rocksdb_batched_multi_get_cf() in the place of rocksdb_multi_get()"},
    {"seek_nexts", "0", Kind::kNumber, "steps behind a seek"},
    {"deletes", "100000", Kind::kNumber, "keys that deleteseq deletes"},
    {"files", "1000", Kind::kNumber, "files that fillfiles makes of the keys"},
    {"num_column_families", "1", Kind::kNumber,
     "families; key n is in family n % so many"},
    {"seed", "0", Kind::kNumber, "of the random numbers; 0: by the time"},
    {"histogram", "false", Kind::kTruth, "time each operation"},
    {"watch_memory", "false", Kind::kTruth,
     "tell what was resident at most during reads beside other work"},
    {"statistics", "false", Kind::kTruth, "the engine's counters at the end"},
    {"disable_wal", "false", Kind::kTruth, "write without a log"},
    {"sync", "false", Kind::kTruth, "sync each write"},
    {"beside", "writer", Kind::kText,
     "what goes on beside the reads of a ...beside benchmark: none, writer, "
     "checkpoint, backup, ingestion, compaction"},
    {"ingest_dir", "", Kind::kText,
     "tables that `prepareingestion` makes and `--beside=ingestion` ingests"},
    {"ingest_bytes", "2147483648", Kind::kNumber, "their size in all"},
    {"bgwriter_num", "-1", Kind::kNumber,
     "keys of the writer beside; below 0: num"},
    {"benchmark_read_rate_limit", "0", Kind::kNumber,
     "operations a second of all threads; latency counts from when one was "
     "due"},
    {"benchmark_write_rate_limit", "0", Kind::kNumber,
     "bytes a second of the writer"},
    {"rate_limiter_bytes_per_sec", "0", Kind::kNumber,
     "of flushes and compactions"},
    {"background_policy", "", Kind::kText,
     "how the kernel schedules the engine's threads: other, batch, idle"},
    {"background_slice_micros", "0", Kind::kNumber,
     "a turn of theirs, from 100 to 100000; 0: as it is"},
    {"idle_seconds", "3", Kind::kNumber, "of the benchmark idle"},
    {"iterators", "0", Kind::kNumber,
     "iterators that stay open, each on a block of its own, during reads "
     "beside other work"},
    {"options", "", Kind::kText, "more options, as name=value;name=value"},
    {"progress_reports", "false", Kind::kTruth, "nothing: there are none"},
    {"cache_type", "lru_cache", Kind::kText, "lru_cache is the only one"},
    {"compression_type", "none", Kind::kText, "none, snappy, lz4, zstd"},
    {"bloom_bits", "-1", Kind::kNumber, "bits a key; below 0: no filter"},
    {"prefix_size", "0", Kind::kNumber, "bytes of a key's prefix"},
    {"prefix_same_as_start", "false", Kind::kTruth, "seeks stay in a prefix"},
    {"cache_size", "33554432", Kind::kNumber, "bytes of the block cache"},
    {"cache_numshardbits", "-1", Kind::kNumber, "of the block cache"},
    // The defaults are given where releases have differed.
    {"format_version", "5", Kind::kNumber, "of tables", Use::kTable},
    {"block_size", "4096", Kind::kNumber, "of tables", Use::kTable},
    {"optimize_filters_for_memory", "false", Kind::kTruth, "of tables",
     Use::kTable},
    {"cache_index_and_filter_blocks", "false", Kind::kTruth, "of tables",
     Use::kTable},
    {"max_auto_readahead_size", "262144", Kind::kNumber, "of tables",
     Use::kTable},
    {"write_buffer_size", "67108864", Kind::kNumber, "", Use::kOption},
    {"max_write_buffer_number", "2", Kind::kNumber, "", Use::kOption},
    {"target_file_size_base", "67108864", Kind::kNumber, "", Use::kOption},
    {"max_bytes_for_level_base", "268435456", Kind::kNumber, "", Use::kOption},
    {"level_compaction_dynamic_level_bytes", "false", Kind::kTruth, "",
     Use::kOption},
    {"max_background_jobs", "2", Kind::kNumber, "", Use::kOption},
    {"subcompactions", "1", Kind::kNumber, "", Use::kOption,
     "max_subcompactions"},
    {"open_files", "-1", Kind::kNumber, "", Use::kOption, "max_open_files"},
    {"disable_auto_compactions", "false", Kind::kTruth, "", Use::kOption},
    {"level0_file_num_compaction_trigger", "4", Kind::kNumber, "",
     Use::kOption},
    {"level0_slowdown_writes_trigger", "20", Kind::kNumber, "", Use::kOption},
    {"level0_stop_writes_trigger", "36", Kind::kNumber, "", Use::kOption},
    {"stats_dump_period_sec", "0", Kind::kNumber, "", Use::kOption},
    {"use_direct_reads", "false", Kind::kTruth, "", Use::kOption},
    {"use_direct_io_for_flush_and_compaction", "false", Kind::kTruth, "",
     Use::kOption},
    // Only some engines have it, so that false is left out.
    {"use_direct_io_for_compaction_reads", "false", Kind::kTruth, "",
     Use::kOption},
    {"compaction_readahead_size", "", Kind::kText, "", Use::kOption},
};

const Row* Find(const std::string& name) {
  for (const Row& row : kRows) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

bool IsGood(const Row& row, const std::string& value) {
  if (row.kind == Kind::kText) return true;
  if (row.kind == Kind::kTruth) return value == "true" || value == "false";
  char* end = nullptr;
  strtoll(value.c_str(), &end, 10);
  return !value.empty() && *end == '\0';
}

// The name of a codec as options have it.
std::string CodecName(const std::string& flag) {
  constexpr const char* kNames[][2] = {{"none", "kNoCompression"},
                                       {"snappy", "kSnappyCompression"},
                                       {"lz4", "kLZ4Compression"},
                                       {"zstd", "kZSTD"}};
  for (const auto& [name, option] : kNames) {
    if (flag == name) return option;
  }
  Fail("--compression_type: no codec " + flag);
}

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

Flags::Flags() {
  for (const Row& row : kRows) values_[row.name] = row.value;
}

void Flags::Parse(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--help" || argument == "--helpxml") {
      argument == "--help" ? PrintHelp() : PrintXml();
      exit(0);
    }
    if (!argument.starts_with("--")) Fail(argument + " is no flag");
    const size_t equal = argument.find('=');
    const std::string name = argument.substr(2, equal - 2);
    Take(name,
         equal == std::string::npos ? "true" : argument.substr(equal + 1));
  }
  if (Value("db").empty()) Fail("--db is needed");
  if (Value("cache_type") != "lru_cache") {
    Fail("--cache_type: lru_cache is the only one");
  }
  if (Number("key_size") < 8) Fail("--key_size must be at least 8");
  for (const char* name :
       {"num", "threads", "batch_size", "files", "num_column_families"}) {
    if (Number(name) < 1) Fail(Text("--%s must be at least 1", name));
  }
}

void Flags::Take(const std::string& name, const std::string& value) {
  const Row* row = Find(name);
  if (row == nullptr) Fail("there is no flag --" + name);
  const bool is_default = value.empty() && row->use != Use::kOwn;
  if (!is_default && !IsGood(*row, value)) {
    Fail("--" + name + ": " + value + " is no value for it");
  }
  values_[name] = value;
}

const std::string& Flags::Value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) Fail("no flag is named " + name);
  return found->second;
}

int64_t Flags::Number(const std::string& name) const {
  return strtoll(Value(name).c_str(), nullptr, 10);
}

bool Flags::IsOn(const std::string& name) const {
  return Value(name) == "true";
}

std::string Flags::TableText() const {
  std::string text = "block_cache={capacity=" + Value("cache_size") +
                     ";num_shard_bits=" + Value("cache_numshardbits") + "};";
  if (Number("bloom_bits") >= 0) {
    text += "filter_policy=bloomfilter:" + Value("bloom_bits") + ":false;";
  }
  for (const Row& row : kRows) {
    const std::string& value = Value(row.name);
    if (row.use == Use::kTable && !value.empty()) {
      text += std::string(row.name) + "=" + value + ";";
    }
  }
  return text;
}

std::string Flags::OptionText() const {
  std::string text =
      "create_if_missing=" + std::string(IsOn("readonly") ? "false" : "true") +
      ";compression=" + CodecName(Value("compression_type")) +
      ";block_based_table_factory={" + TableText() + "};";
  if (Number("prefix_size") > 0) {
    text += "prefix_extractor=fixed:" + Value("prefix_size") + ";";
  }
  for (const Row& row : kRows) {
    const std::string& value = Value(row.name);
    const bool is_left_out =
        value.empty() ||
        (std::string(row.name) == "use_direct_io_for_compaction_reads" &&
         value == "false");
    if (row.use != Use::kOption || is_left_out) continue;
    text += std::string(row.option != nullptr ? row.option : row.name) + "=" +
            value + ";";
  }
  return text + Value("options");
}

// Prints the flags in the XML of gflags, which scripts read.
void Flags::PrintXml() const {
  puts("<?xml version=\"1.0\"?>\n<AllFlags>\n<program>c_bench</program>");
  for (const Row& row : kRows) {
    printf(
        "<flag><file>tools/c_bench/flags.cc</file><name>%s</name>"
        "<meaning>%s</meaning><default>%s</default></flag>\n",
        row.name, Escaped(row.help).c_str(), Escaped(row.value).c_str());
  }
  puts("</AllFlags>");
}

void Flags::PrintHelp() const {
  puts(
      "c_bench --db=DIRECTORY [--FLAG=VALUE ...]\n\n"
      "Measures an engine through RocksDB's C interface alone.\n");
  for (const Row& row : kRows) {
    printf("  --%s (%s)%s%s\n", row.name, row.value,
           *row.help != '\0' ? ": " : "", row.help);
  }
}

}  // namespace c_bench
