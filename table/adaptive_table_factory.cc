// The table factory "AdaptiveTableFactory": writes by one factory, and reads a
// file by the one for whose format its last bytes speak.
//
// Threads    Const calls from any thread.
// Errors     NotSupported: the last bytes are of no format. What the others
//            answer.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "file/random_access_file_reader.h"
#include "rocksdb/table.h"
#include "table/format.h"
#include "table/table_builder.h"
#include "table/table_reader.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using SharedFactory = std::shared_ptr<TableFactory>;

struct AdaptiveParts {
  SharedFactory writer;
  SharedFactory block_based;
  SharedFactory plain;
  SharedFactory cuckoo;
};

class AdaptiveTableFactory final : public TableFactory {
 public:
  explicit AdaptiveTableFactory(AdaptiveParts parts)
      : parts_(std::move(parts)) {
    INVARIANT(parts_.writer != nullptr && parts_.block_based != nullptr);
    INVARIANT(parts_.plain != nullptr && parts_.cuckoo != nullptr);
  }

  const char* Name() const override { return "AdaptiveTableFactory"; }
  Status ValidateOptions(const DBOptions& db,
                         const ColumnFamilyOptions& cf) const override {
    return parts_.writer->ValidateOptions(db, cf);
  }
  std::string GetPrintableOptions() const override {
    std::string text;
    for (const TableFactory* part :
         {parts_.writer.get(), parts_.plain.get(), parts_.cuckoo.get(),
          parts_.block_based.get()}) {
      text += "  ";
      text += part->Name();
      text += " options:\n" + part->GetPrintableOptions();
    }
    return text;
  }

  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions& read_options,
                        const TableReaderOptions& reader_options,
                        std::unique_ptr<RandomAccessFileReader>&& file,
                        uint64_t file_size,
                        std::unique_ptr<TableReader>* table_reader,
                        bool prefetch) const override {
    const TableFactory* part = nullptr;
    Status s = FindReader(*file, file_size, &part);
    if (!s.ok()) return s;
    return part->NewTableReader(read_options, reader_options, std::move(file),
                                file_size, table_reader, prefetch);
  }
  TableBuilder* NewTableBuilder(const TableBuilderOptions& builder_options,
                                WritableFileWriter* file) const override {
    return parts_.writer->NewTableBuilder(builder_options, file);
  }
  std::unique_ptr<TableFactory> Clone() const override {
    return std::make_unique<AdaptiveTableFactory>(
        AdaptiveParts{.writer = parts_.writer->Clone(),
                      .block_based = parts_.block_based->Clone(),
                      .plain = parts_.plain->Clone(),
                      .cuckoo = parts_.cuckoo->Clone()});
  }
  bool IsDeleteRangeSupported() const override {
    return parts_.writer->IsDeleteRangeSupported();
  }

 private:
  Status FindReader(const RandomAccessFileReader& file, uint64_t file_size,
                    const TableFactory** part) const {
    std::array<char, sizeof(uint64_t)> scratch = {};
    if (file_size < scratch.size()) {
      return CorruptTable(file.file_name(), 0, "too short for a table");
    }
    Slice magic;
    const IOStatus s =
        file.Read(IOOptions(), file_size - scratch.size(), scratch.size(),
                  &magic, scratch.data(), nullptr);
    if (!s.ok()) return s;
    if (magic.size() != scratch.size()) {
      return CorruptTable(file.file_name(), file_size - scratch.size(),
                          "the file ends early");
    }
    switch (DecodeFixed64(magic.data())) {
      case kBlockBasedTableMagic:
      case kLegacyBlockBasedTableMagic:
        *part = parts_.block_based.get();
        return Status::OK();
      case kPlainTableMagic:
      case kLegacyPlainTableMagic:
        *part = parts_.plain.get();
        return Status::OK();
      case kCuckooTableMagic:
        *part = parts_.cuckoo.get();
        return Status::OK();
      default:
        return Status::NotSupported("Unidentified table format",
                                    file.file_name());
    }
  }

  const AdaptiveParts parts_;
};

SharedFactory OrDefault(SharedFactory given, TableFactory* (*make_default)()) {
  return given != nullptr ? std::move(given) : SharedFactory(make_default());
}

}  // namespace

TableFactory* NewAdaptiveTableFactory(
    std::shared_ptr<TableFactory> table_factory_to_write,
    std::shared_ptr<TableFactory> block_based_table_factory,
    std::shared_ptr<TableFactory> plain_table_factory,
    std::shared_ptr<TableFactory> cuckoo_table_factory) {
  AdaptiveParts parts;
  parts.block_based = OrDefault(std::move(block_based_table_factory),
                                [] { return NewBlockBasedTableFactory(); });
  parts.plain = OrDefault(std::move(plain_table_factory),
                          [] { return NewPlainTableFactory(); });
  parts.cuckoo = OrDefault(std::move(cuckoo_table_factory),
                           [] { return NewCuckooTableFactory(); });
  parts.writer = table_factory_to_write != nullptr
                     ? std::move(table_factory_to_write)
                     : parts.block_based;
  return std::make_unique<AdaptiveTableFactory>(std::move(parts)).release();
}

}  // namespace ROCKSDB_NAMESPACE
