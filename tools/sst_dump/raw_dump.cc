#include "tools/sst_dump/raw_dump.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "table/block_based_reader.h"
#include "table/index_block.h"
#include "table/metaindex.h"
#include "tools/sst_dump/lone_table.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const std::string kRule(38, '-');

std::string HandleHex(const BlockHandle& handle) {
  std::string bytes;
  PutVarint64(&bytes, handle.offset);
  PutVarint64(&bytes, handle.size);
  return Slice(bytes).ToString(true);
}

// Each byte and a blank, control bytes as dots.
std::string Spaced(const Slice& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += byte >= 0x20 && byte < 0x7f ? bytes[i] : '.';
    text += ' ';
  }
  return text;
}

class RawWriter {
 public:
  RawWriter(const LoneTable& table, const BlockBasedTableReader& reader,
            const RawDump& dump)
      : table_(table), parts_(reader.parts()), dump_(dump) {}

  Status Run() {
    Status s = dump_.env->NewWritableFile(dump_.output, &output_, EnvOptions());
    if (!s.ok()) return s;
    WriteFooter();
    s = WriteMetaindex();
    if (s.ok()) WriteProperties();
    std::unique_ptr<IndexBlock> index;
    FetchOptions fetch;
    read_.fill_cache = false;
    read_.total_order_seek = true;
    fetch.read = &read_;
    fetch.decompressor = parts_.index_decompressor.get();
    if (s.ok()) s = LoadIndex(parts_, fetch, &index);
    if (s.ok()) WriteIndex(*index);
    if (s.ok()) s = WriteDictionary();
    if (s.ok()) WriteTombstones();
    if (s.ok()) s = WriteBlocks(*index);
    if (s.ok()) s = status_;
    const Status closed = output_->Close();
    return s.ok() ? closed : s;
  }

 private:
  void Write(const std::string& text) {
    if (status_.ok()) status_ = output_->Append(text);
  }
  void WriteTitle(const std::string& title) {
    Write(title + "\n" + kRule + "\n");
  }

  void WriteFooter() {
    const Footer& footer = parts_.file.footer;
    const auto handle = [](const BlockHandle& h) {
      return HandleHex(h) + " offset: " + std::to_string(h.offset) +
             " size: " + std::to_string(h.size);
    };
    WriteTitle("Footer Details:");
    Write("  metaindex handle: " + handle(footer.metaindex) +
          "\n  index handle: " + handle(footer.index) + "\n  format version: " +
          std::to_string(footer.format_version) + "\n\n");
    WriteTitle("Block Checksum Type Legend:");
    Write(
        "  0 = kNoChecksum\n  1 = kCRC32c\n  2 = kxxHash\n  3 = kxxHash64\n"
        "  4 = kXXH3\n  (This file uses checksum type: " +
        std::to_string(static_cast<int>(footer.checksum)) + ")\n\n");
  }

  // What stands behind the payload of a block.
  Status Trailer(const BlockHandle& handle, std::string* text) const {
    FetchOptions fetch;
    fetch.read = &read_;
    BlockBytes stored;
    const Status s = FetchStored(parts_.file, handle, fetch, &stored);
    if (!s.ok()) return s;
    const char* const trailer = stored.data().data() + handle.size;
    char number[128];
    std::snprintf(number, sizeof(number),
                  "block checksum type: %d  checksum value: 0x%08x  offset: "
                  "%" PRIu64 "  size: %" PRIu64 "  compression type: %d",
                  static_cast<int>(parts_.file.footer.checksum),
                  DecodeFixed32(trailer + 1), handle.offset, handle.size,
                  static_cast<int>(static_cast<unsigned char>(trailer[0])));
    *text = number;
    return s;
  }

  Status WriteMetaindex() {
    WriteTitle("Metaindex Details:");
    std::string trailer;
    Status s = Trailer(parts_.file.footer.metaindex, &trailer);
    if (s.ok()) Write("  Metaindex " + trailer + "\n");
    for (const auto& [name, handle] : parts_.metaindex.blocks()) {
      if (s.ok()) s = Trailer(handle, &trailer);
      if (!s.ok()) return s;
      Write("  " + name + ": " + HandleHex(handle) + "\n    " + trailer + "\n");
    }
    Write("\n");
    return s;
  }

  void WriteProperties() {
    WriteTitle("Table Properties:");
    Write("  " + table_.properties()->ToString("\n  ", ": ") + "\n");
    WriteTitle("Filter Details:");
    const std::string& policy = table_.properties()->filter_policy_name;
    Write("  filter policy: " + (policy.empty() ? "N/A" : policy) +
          "\n  bytes: " + std::to_string(table_.properties()->filter_size) +
          "\n\n");
  }

  void WriteIndex(const IndexBlock& index) {
    WriteTitle("Index Details:");
    Write("  Block key hex dump: Data block handle\n  Block key ascii\n\n");
    for (size_t i = 0; i < index.size(); ++i) {
      const Slice key =
          index.has_user_keys() ? index.key(i) : ExtractUserKey(index.key(i));
      const BlockHandle handle = index.handle(i);
      Write("  HEX    " + key.ToString(true) + ": " + HandleHex(handle) +
            " offset " + std::to_string(handle.offset) + " size " +
            std::to_string(handle.size) + "\n  ASCII  " + Spaced(key) +
            "\n  ------\n");
    }
    Write("\n");
  }

  void WriteTombstones() {
    const FragmentedTombstones& tombstones =
        *table_.reader().range_tombstones();
    if (tombstones.empty()) return;
    WriteTitle("Range deletions:");
    for (size_t i = 0; i < tombstones.size(); ++i) {
      const FragmentedTombstones::Fragment fragment = tombstones.at(i);
      for (const SequenceNumber sequence : fragment.sequences) {
        WriteEntry({fragment.begin, sequence, kTypeRangeDeletion},
                   fragment.end);
      }
    }
    Write("\n");
  }

  // Writes the dictionary that compresses the data blocks, if there is one.
  Status WriteDictionary() {
    const BlockHandle* const handle = parts_.metaindex.Find(kDictionaryBlock);
    if (handle == nullptr) return Status::OK();
    FetchOptions fetch;
    fetch.read = &read_;
    BlockBytes stored;
    Status s = FetchStored(parts_.file, *handle, fetch, &stored);
    if (!s.ok()) return s;
    const Slice dictionary(stored.data().data(), handle->size);
    WriteTitle("Compression Dictionary:");
    Write("  size (bytes): " + std::to_string(dictionary.size()) +
          "\n\n  HEX    " + dictionary.ToString(true) + "\n\n");
    return s;
  }

  void WriteEntry(const ParsedInternalKey& key, const Slice& value) {
    const std::string number =
        dump_.shows_sequences
            ? " seq: " + std::to_string(key.sequence) +
                  " type: " + std::to_string(static_cast<int>(key.type))
            : "";
    Write("  HEX    " + key.user_key.ToString(true) + number + ": " +
          value.ToString(true) + "\n  ASCII  " + Spaced(key.user_key) + ": " +
          Spaced(value) + "\n  ------\n");
  }

  // The entries come in order, and the index says where each block ends.
  Status WriteBlocks(const IndexBlock& index) {
    std::unique_ptr<InternalIterator> entries;
    Status s = table_.NewStoredIterator(read_, &entries);
    if (!s.ok()) return s;
    entries->SeekToFirst();
    std::string last_key;
    for (size_t i = 0; i < index.size() && s.ok(); ++i) {
      const BlockHandle handle = index.handle(i);
      std::string trailer;
      s = Trailer(handle, &trailer);
      if (!s.ok()) break;
      Write("Data Block # " + std::to_string(i + 1) + " @ " +
            HandleHex(handle) + "\n  Data " + trailer + "\n" + kRule + "\n");
      index.InternalKeyOf(i, &last_key);
      for (; entries->Valid() &&
             parts_.order.Compare(entries->key(), last_key) <= 0;
           entries->Next()) {
        ParsedInternalKey key;
        if (!ParseInternalKey(entries->key(), &key)) {
          return Status::Corruption("a stored key is no internal key");
        }
        WriteEntry(key, entries->value());
      }
      Write("\n");
      s = entries->status();
    }
    if (s.ok()) WriteBlockSummary(index);
    return s;
  }

  void WriteBlockSummary(const IndexBlock& index) {
    uint64_t smallest = UINT64_MAX;
    uint64_t largest = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < index.size(); ++i) {
      const uint64_t size = index.handle(i).size;
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
      total += size;
    }
    WriteTitle("Data Block Summary:");
    Write("  # data blocks: " + std::to_string(index.size()) + "\n");
    if (index.size() == 0) return;
    Write("  min data block size: " + std::to_string(smallest) +
          "\n  max data block size: " + std::to_string(largest) +
          "\n  avg data block size: " +
          std::to_string(static_cast<double>(total) /
                         static_cast<double>(index.size())) +
          "\n");
  }

  const LoneTable& table_;
  const TableParts& parts_;
  const RawDump& dump_;
  ReadOptions read_;
  std::unique_ptr<WritableFile> output_;
  Status status_;
};

}  // namespace

Status WriteRawDump(const LoneTable& table, const RawDump& dump) {
  const BlockBasedTableReader* const reader = table.reader().AsBlockBased();
  if (reader == nullptr) {
    return Status::NotSupported("raw of a table that is not block-based");
  }
  const Status s = RawWriter(table, *reader, dump).Run();
  if (!s.ok()) {
    IgnoreError(dump.env->DeleteFile(dump.output), "it may not be there");
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
