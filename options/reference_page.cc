#include "options/reference_page.h"

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kIntroduction =
    "# Options\n\n"
    "Made from the option rows (`options/*_rows.cc`); do not edit. What an\n"
    "option means stands in its header: `rocksdb/options.h`,\n"
    "`rocksdb/advanced_options.h`, `rocksdb/table.h`,\n"
    "`rocksdb/universal_compaction.h`, `rocksdb/compression_type.h`.\n\n"
    "*Dynamic* options change on an open database, through `SetDBOptions` or\n"
    "`SetOptions`. *Honoured* lists the only values that `DB::Open` accepts,\n"
    "where it does not accept all; any other is `NotSupported`, for the "
    "reason\n"
    "in the remark.\n";

// Text in a table cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') {
      cell += ", ";
    } else {
      cell += c;
    }
  }
  return cell;
}

std::string DefaultOf(const OptionRow& row, const void* defaults) {
  // Which codec is the default depends on the build.
  if (row.name == "compression") return "LZ4, Snappy or none";
  if (row.name == "table_factory") return "BlockBasedTable";
  if (row.name == "env") return "Env::Default()";
  if (row.name == "calculate_sst_write_lifetime_hint_set") {
    return "{kCompactionStyleLevel}";
  }
  ConfigOptions config;
  config.depth = ConfigOptions::kDepthShallow;
  const std::string text = PrintOption(config, row, defaults);
  if (row.kind->members != nullptr) return "see below";
  return text.empty() ? "empty" : text;
}

void AppendTable(const OptionStruct& options, const void* defaults,
                 std::string* page) {
  page->append("\n## ").append(options.name).append("\n\n");
  page->append("| option | type | default | dynamic | honoured | remark |\n");
  page->append("|---|---|---|---|---|---|\n");
  for (const OptionRow& row : options.rows) {
    page->append("| `").append(row.name).append("` | ");
    page->append(row.kind->type).append(" | ");
    page->append(Cell(DefaultOf(row, defaults))).append(" | ");
    page->append(row.IsDynamic() ? "yes" : "no").append(" | ");
    page->append(Cell(row.traits.built)).append(" | ");
    page->append(row.traits.note).append(" |\n");
  }
}

}  // namespace

std::string OptionReferencePage() {
  std::string page(kIntroduction);
  const DBOptions db;
  const ColumnFamilyOptions cf;
  const BlockBasedTableOptions block_based;
  const PlainTableOptions plain;
  const CuckooTableOptions cuckoo;
  const CompressionOptions compression;
  const CompactionOptionsUniversal universal;
  const CompactionOptionsFIFO fifo;
  const MetadataCacheOptions metadata_cache;
  AppendTable(DBOptionStruct(), &db, &page);
  AppendTable(ColumnFamilyOptionStruct(), &cf, &page);
  AppendTable(BlockBasedTableOptionStruct(), &block_based, &page);
  AppendTable(CompressionOptionStruct(), &compression, &page);
  AppendTable(UniversalOptionStruct(), &universal, &page);
  AppendTable(FifoOptionStruct(), &fifo, &page);
  AppendTable(MetadataCacheOptionStruct(), &metadata_cache, &page);
  AppendTable(PlainTableOptionStruct(), &plain, &page);
  AppendTable(CuckooTableOptionStruct(), &cuckoo, &page);
  return page;
}

}  // namespace ROCKSDB_NAMESPACE
