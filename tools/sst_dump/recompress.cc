#include "tools/sst_dump/recompress.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <vector>

#include "file/writable_file_writer.h"
#include "options/sanitize.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "table/block_based_reader.h"
#include "table/table_builder.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json.h"
#include "tools/sst_dump/arguments.h"
#include "tools/sst_dump/lone_table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

class CodecTrial {
 public:
  CodecTrial(const LoneTable& table, const SstDumpArguments& arguments,
             const Options& options)
      : table_(table), arguments_(arguments), options_(options) {
    options_.comparator = table.order();
    BlockBasedTableOptions blocks;
    if (const auto* given =
            options.table_factory->GetOptions<BlockBasedTableOptions>()) {
      blocks = *given;
    }
    blocks.block_size = arguments.block_size;
    blocks.enable_index_compression = arguments.enable_index_compression;
    blocks.verify_compression = arguments.verify_compression;
    blocks.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(blocks));
  }

  Status Run(CompressionType type, int level) {
    const uint64_t begin = Now();
    Status s = Build(type, level);
    if (!s.ok()) return s;
    const uint64_t written = Now();
    s = ReadBack();
    if (!s.ok()) return s;
    if (arguments_.json) {
      ShowJson(type, level, written - begin, Now() - written);
    } else {
      Show(type, level, {written - begin, Now() - written});
    }
    return s;
  }

 private:
  static uint64_t Now() { return SystemClock::Default()->NowMicros(); }

  Status Build(CompressionType type, int level) {
    const ImmutableDBOptions db(options_);
    const ColumnFamilyOptions family =
        SanitizeColumnFamilyOptions(db, options_);
    const ImmutableCFOptions cf(family);
    const MutableCFOptions mutable_cf(family);
    TableBuilderOptions builder_options;
    builder_options.db = &db;
    builder_options.cf = &cf;
    builder_options.mutable_cf = &mutable_cf;
    builder_options.compression = type;
    CompressionOptions& compression = builder_options.compression_options;
    compression.level = level;
    compression.max_dict_bytes = arguments_.max_dict_bytes;
    compression.zstd_max_train_bytes = arguments_.zstd_max_train_bytes;
    compression.max_dict_buffer_bytes = arguments_.max_dict_buffer_bytes;
    compression.parallel_threads = arguments_.parallel_threads;
    compression.use_zstd_dict_trainer = !arguments_.use_zstd_finalize_dict;
    std::unique_ptr<WritableFileWriter> file;
    Status s = WritableFileWriter::Create(memory_->GetFileSystem().get(), kPath,
                                          FileOptions(), &file);
    if (!s.ok()) return s;
    const std::unique_ptr<TableBuilder> builder(
        mutable_cf.table_factory->NewTableBuilder(builder_options, file.get()));
    s = Fill(builder.get());
    if (s.ok()) {
      s = builder->Finish();
    } else {
      builder->Abandon();
    }
    if (s.ok()) s = file->Close();
    properties_ = builder->properties();
    return s;
  }

  Status Fill(TableBuilder* builder) const {
    ReadOptions read;
    read.fill_cache = false;
    read.total_order_seek = true;
    std::unique_ptr<InternalIterator> entries;
    if (Status s = table_.NewIterator(read, &entries); !s.ok()) return s;
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      builder->Add(entries->key(), entries->value());
      if (!builder->status().ok()) return builder->status();
    }
    return entries->status();
  }

  // Takes as long as reading the file would.
  Status ReadBack() {
    Options in_memory = options_;
    in_memory.env = memory_.get();
    std::unique_ptr<LoneTable> table;
    Status s = LoneTable::Open(in_memory, kPath, &table);
    if (s.ok()) s = LookAtIndex(*table);
    if (!s.ok()) return s;
    ReadOptions read;
    read.fill_cache = false;
    std::unique_ptr<InternalIterator> entries;
    s = table->NewIterator(read, &entries);
    if (!s.ok()) return s;
    entries->SeekToFirst();
    while (entries->Valid()) entries->Next();
    return entries->status();
  }

  Status LookAtIndex(const LoneTable& table) {
    const BlockBasedTableReader* const reader = table.reader().AsBlockBased();
    if (reader == nullptr) return Status::OK();
    const TableFile& file = reader->parts().file;
    const BlockHandle& index = reader->parts().index_handle;
    const ReadOptions read;
    FetchOptions fetch;
    fetch.read = &read;
    BlockBytes stored;
    Status s = FetchStored(file, index, fetch, &stored);
    if (!s.ok()) return s;
    is_index_compressed_ = stored.data()[index.size] != char{kNoCompression};
    return s;
  }

  struct Times {
    uint64_t write_micros;
    uint64_t read_micros;
  };

  // Counts like RocksDB: without a codec, all blocks were not compressed "for
  // ratio"; with one, the index counts as a block, too.
  void Show(CompressionType type, int level, const Times& times) const {
    const TableProperties& p = properties_;
    const bool has_codec = type != kNoCompression;
    const uint64_t total = p.num_data_blocks + (has_codec ? 1 : 0);
    uint64_t rejected = p.num_data_blocks;
    uint64_t bypassed = 0;
    if (has_codec) {
      rejected = p.num_data_blocks_compression_rejected;
      bypassed = p.num_data_blocks_compression_bypassed +
                 (is_index_compressed_ ? 0 : 1);
    }
    const uint64_t compressed = total - std::min(total, rejected + bypassed);
    const double ratio = p.data_size == 0
                             ? 0
                             : static_cast<double>(p.uncompressed_data_size) /
                                   static_cast<double>(p.data_size);
    std::printf(
        "Cx level: %d Cx size: %10" PRIu64 " Uncx size: %10" PRIu64
        " Ratio: %10.6f Write usec: %10" PRIu64 "  Read usec: %10" PRIu64
        "  Cx count: %6" PRIu64 " (%5.1f%%) Not cx for ratio: %6" PRIu64
        " (%5.1f%%) Not cx otherwise: %6" PRIu64 " (%5.1f%%)\n",
        level, p.data_size, p.uncompressed_data_size, ratio, times.write_micros,
        times.read_micros, compressed, PercentOf(compressed, total), rejected,
        PercentOf(rejected, total), bypassed, PercentOf(bypassed, total));
  }

  void ShowJson(CompressionType type, int level, uint64_t write_micros,
                uint64_t read_micros) const {
    std::string name;
    // A codec that has made a table has a name.
    if (!GetStringFromCompressionType(&name, type).ok()) return;
    const TableProperties& p = properties_;
    PrintLine(JsonObject()
                  .Add("file", table_.path())
                  .Add("compression", name)
                  .AddRaw("level", std::to_string(level))
                  .Add("block_size", uint64_t{arguments_.block_size})
                  .Add("compressed_bytes", p.data_size)
                  .Add("uncompressed_bytes", p.uncompressed_data_size)
                  .Add("write_micros", write_micros)
                  .Add("read_micros", read_micros)
                  .Add("blocks", p.num_data_blocks)
                  .Add("blocks_not_compressed_for_ratio",
                       p.num_data_blocks_compression_rejected)
                  .Add("blocks_not_compressed_otherwise",
                       p.num_data_blocks_compression_bypassed)
                  .Text());
  }

  static constexpr char kPath[] = "/recompressed.sst";

  const LoneTable& table_;
  const SstDumpArguments& arguments_;
  Options options_;
  const std::unique_ptr<Env> memory_{NewMemEnv(Env::Default())};
  TableProperties properties_;
  bool is_index_compressed_ = false;
};

std::vector<CompressionType> CodecsToTry(const SstDumpArguments& arguments) {
  if (!arguments.codecs.empty()) return arguments.codecs;
  std::vector<CompressionType> all = GetSupportedCompressions();
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

Status Recompress(const LoneTable& table, const SstDumpArguments& arguments,
                  const Options& options) {
  const auto manager = options.compression_manager != nullptr
                           ? options.compression_manager
                           : GetBuiltinV2CompressionManager();
  const int first = arguments.level_from.value_or(
      CompressionOptions::kDefaultCompressionLevel);
  const int last = arguments.level_to.value_or(first);
  for (const CompressionType type : CodecsToTry(arguments)) {
    std::string name;
    Status s = GetStringFromCompressionType(&name, type);
    if (!s.ok()) return s;
    if (!manager->SupportsCompressionType(type)) {
      if (!arguments.json) {
        PrintLine("Unsupported compression type: " + name + ".");
      }
      continue;
    }
    if (!arguments.json) {
      std::printf("Compression: %-24s Block Size: %s  Threads: %u\n",
                  name.c_str(), std::to_string(arguments.block_size).c_str(),
                  arguments.parallel_threads);
    }
    for (int level = first; level <= last; ++level) {
      s = CodecTrial(table, arguments, options).Run(type, level);
      if (!s.ok()) return s;
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
