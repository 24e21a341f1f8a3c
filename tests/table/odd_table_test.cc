// Tables that no damage explains: filters of kinds that are not known here,
// properties that are missing, partitions that lead back to their index, an
// index in the place of a filter.
//
// Runs tests/testdata/sst/odd_tables.txt; each case is one line:
//
//   rename FROM TO       a name in a file is another one, as long
//   kind BYTE [partitioned]    the mark of its filter, or of each of its parts
//   top index:TOP filter:TOP   the top levels of a partitioned index and filter
//
// A TOP is that of the index or of the filter, as it is; or a new one, whose
// keys are those of the one and whose partitions are those of the other, such
// as index>filter; all partitions of index>self are the new top level, and
// those of index>loop are a partition whose data blocks are itself.
//
// The answer is what is found of the entries that were written, and what the
// log is told; in files of version 2 (internal keys, whole handles) and 5 (user
// keys, differences), with partitions that are held and that are looked for.
// Where these differ each has a line.
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/info_log.h"
#include "table/format.h"
#include "table/index_block.h"
#include "table/index_encoder.h"
#include "table/metaindex.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Lines final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list args) override {
    char line[512];
    vsnprintf(line, sizeof(line), format, args);
    lines_.emplace_back(line);
  }
  const std::vector<std::string>& all() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// Without checksums, so that bytes may be others.
class OddTable {
 public:
  OddTable() {
    f_.table.checksum = kNoChecksum;
    f_.table.format_version = 5;
    f_.table.block_size = 256;
    f_.table.no_block_cache = true;
    f_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    f_.db.info_log = lines_;
  }

  static Footer FooterOf(const std::string& bytes) {
    Footer footer;
    const Slice end(bytes.data() + bytes.size() - Footer::kBytes,
                    Footer::kBytes);
    EXPECT_TRUE(footer.DecodeFrom(end, bytes.size(), "odd").ok());
    return footer;
  }
  static Slice At(const std::string& bytes, const BlockHandle& handle) {
    return Slice(bytes.data() + handle.offset, handle.size);
  }
  static BlockHandle BlockNamed(const std::string& bytes,
                                const std::string& name) {
    Metaindex metaindex;
    EXPECT_EQ(metaindex.Decode(At(bytes, FooterOf(bytes).metaindex)), nullptr);
    const BlockHandle* handle = metaindex.Find(name);
    EXPECT_NE(handle, nullptr) << name;
    return handle != nullptr ? *handle : BlockHandle();
  }
  // What of the entries a reader finds.
  std::string Found(const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    Status s = f_.Open(bytes, &reader);
    opening_ = s;
    if (!s.ok()) return Said(s, "opening");
    size_t there = 0, corrupt = 0;
    for (const TableEntry& e : entries_) {
      const std::string found = f_.Get(*reader, e.user_key, e.sequence);
      there += found == "=" + e.value ? 1 : 0;
      corrupt += found.find("Corruption") != found.npos ? 1 : 0;
    }
    EXPECT_TRUE(there < entries_.size() ||
                f_.Get(*reader, "another") == "none");
    // Whatever it reads, a walk comes to an end.
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    size_t steps = 0;
    for (it->SeekToFirst(); it->Valid() && steps <= bytes.size(); it->Next()) {
      ++steps;
    }
    EXPECT_LE(steps, bytes.size());
    s = it->status();
    if (there == entries_.size() && steps == there && s.ok()) return "all";
    if (corrupt == entries_.size() && steps == 0) return Said(s, "reading");
    return std::to_string(there) + " by lookups, " + std::to_string(steps) +
           " by a walk: " + Said(s, "reading");
  }
  // Corruption names the file; what it says of bytes is another thing.
  static std::string Said(const Status& s, const std::string& when) {
    EXPECT_TRUE(s.ok() || s.ToString().find("000007.sst") != std::string::npos)
        << s.ToString();
    if (s.IsCorruption()) return "corruption when " + when;
    return s.ToString() + " when " + when;
  }

  const std::vector<TableEntry> entries_ = NumberedEntries(60);
  const std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  TableFixture f_;
  Status opening_;  // how it went
};

class OddTableTest : public testing::Test, protected OddTable {};

constexpr char kBloom[] = "fullfilter.rocksdb.BuiltinBloomFilter";
constexpr char kPartitionedBloom[] =
    "partitionedfilter.rocksdb.BuiltinBloomFilter";

// Every partition that can be is the index itself.
TEST_F(OddTableTest, PartitionsThatAreTheirOwnIndexAreCorruption) {
  f_.table.format_version = 2;  // Handles stand in full.
  f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  f_.table.metadata_block_size = 256;
  f_.table.block_size = 128;
  const std::vector<TableEntry> entries = NumberedEntries(400);
  std::string bytes = f_.Build(entries);
  const BlockHandle top = FooterOf(bytes).index;
  IndexBlock index((IndexEncoding()));
  ASSERT_EQ(index.Append(At(bytes, top)), nullptr);
  ASSERT_GT(index.size(), 2u);
  std::string self;
  top.EncodeTo(&self);
  size_t led_back = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    std::string partition;
    index.handle(i).EncodeTo(&partition);
    const size_t at = bytes.find(partition, top.offset);
    if (at == std::string::npos || partition.size() != self.size()) continue;
    ASSERT_LT(at, top.offset + top.size);
    bytes.replace(at, self.size(), self);
    ++led_back;
  }
  ASSERT_GT(led_back, 0u);
  std::unique_ptr<TableReader> reader;
  Status s = f_.Open(bytes, &reader);
  if (s.ok()) {
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    size_t steps = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_LE(++steps, entries.size());
    }
    s = it->status();
  }
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("000007.sst"), std::string::npos);
}

// The key of the second tombstone is too short to be one. The end of the first,
// which is read just before it, looks like one.
TEST_F(OddTableTest, ATombstoneWithoutAWholeKeyIsCorruption) {
  const std::string trailer("\x0f\0\0\0\0\0\0\0", 8);
  f_.tombstones = {{"a", "b" + trailer, 0}, {"c", "dddddddd", 0}};
  std::string bytes = f_.Build(entries_);
  const std::string second = std::string("\0\x09\x08", 3) + "c" + trailer;
  const size_t at = bytes.find(second);
  ASSERT_NE(at, std::string::npos);
  // Two bytes of the key become the value's.
  bytes[at + 1] = 7;
  bytes[at + 2] = 10;
  std::unique_ptr<TableReader> reader;
  const Status s = f_.Open(bytes, &reader);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
}

// A table with new top levels of index and filter.
class CrossedTable : public OddTable {
 public:
  explicit CrossedTable(uint32_t version) {
    encoding_.has_user_keys = version >= 3;
    encoding_.has_delta_values = version >= 4;
    f_.table.format_version = version;
    f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    f_.table.partition_filters = true;
    f_.table.metadata_block_size = 128;
    bytes_ = f_.Build(entries_);
    footer_ = FooterOf(bytes_);
    filter_ = BlockNamed(bytes_, kPartitionedBloom);
    EXPECT_EQ(metaindex_.Decode(At(bytes_, footer_.metaindex)), nullptr);
  }

  IndexBlock IndexAt(const BlockHandle& handle) const {
    IndexBlock index(encoding_);
    EXPECT_EQ(index.Append(At(bytes_, handle)), nullptr);
    EXPECT_GT(index.size(), 1u);
    return index;
  }
  // The keys of the block at `keys`, the i-th with handles[i].
  std::string TopLevel(const BlockHandle& keys,
                       const std::vector<BlockHandle>& handles) const {
    const IndexBlock index = IndexAt(keys);
    IndexEncoder encoder(1, encoding_.has_delta_values);
    for (size_t i = 0; i < index.size(); ++i) {
      encoder.Add({index.key(i), handles[i % handles.size()]});
    }
    return encoder.Finish().ToString();
  }
  std::vector<BlockHandle> PartitionsOf(const BlockHandle& top) const {
    const IndexBlock index = IndexAt(top);
    std::vector<BlockHandle> handles;
    for (size_t i = 0; i < index.size(); ++i)
      handles.push_back(index.handle(i));
    return handles;
  }
  BlockHandle Append(const std::string& payload) {
    const BlockHandle handle{bytes_.size(), payload.size()};
    bytes_ += payload + std::string(kBlockTrailerBytes, '\0');
    return handle;
  }
  // Appends a top level with the keys of the one at `keys`, whose partitions
  // all are that top level.
  BlockHandle AppendLoop(const BlockHandle& keys) {
    BlockHandle self{bytes_.size(), 0};
    std::string payload;
    do {
      self.size = payload.size();
      payload = TopLevel(keys, {self});
    } while (payload.size() != self.size);
    return Append(payload);
  }
  // The file ends with these top levels.
  void End(const BlockHandle& index, const BlockHandle& filter) {
    std::map<std::string, BlockHandle> blocks = metaindex_.blocks();
    blocks[kPartitionedBloom] = filter;
    footer_.index = index;
    footer_.metaindex = Append(Metaindex::Encode(blocks));
    footer_.EncodeTo(bytes_.size(), &bytes_);
  }
  BlockHandle TopOf(const std::string& text) {
    const size_t arrow = text.find('>');
    const BlockHandle keys =
        text.starts_with("index") ? footer_.index : filter_;
    if (arrow == text.npos) return keys;
    const std::string partitions = text.substr(arrow + 1);
    if (partitions == "self") return AppendLoop(keys);
    if (partitions == "loop") {
      return Append(TopLevel(keys, {AppendLoop(keys)}));
    }
    return Append(TopLevel(
        keys, PartitionsOf(partitions == "index" ? footer_.index : filter_)));
  }
  std::string Answer(const ScriptWords& command, bool is_cached) {
    const BlockHandle index = TopOf(command.Text("index", ""));
    const BlockHandle filter = TopOf(command.Text("filter", ""));
    End(index, filter);
    if (is_cached) {
      f_.table.no_block_cache = false;
      f_.table.cache_index_and_filter_blocks = true;
      f_.table.block_cache = NewLRUCache(1 << 20);
    }
    return Found(bytes_);
  }

 private:
  IndexEncoding encoding_;
  std::string bytes_;
  Footer footer_;
  Metaindex metaindex_;
  BlockHandle filter_;
};

std::string CrossedAnswer(const ScriptWords& command) {
  std::string text;
  std::set<std::string> answers;
  for (const uint32_t version : {2u, 5u}) {
    for (const bool is_cached : {false, true}) {
      const std::string answer =
          CrossedTable(version).Answer(command, is_cached);
      answers.insert(answer);
      text += "version " + std::to_string(version) +
              (is_cached ? ", looked for: " : ", held: ") + answer + "\n";
    }
  }
  return answers.size() == 1 ? *answers.begin() : text;
}

// With what the log is told.
class NamedOddTable : public OddTable {
 public:
  std::string Renamed(const std::string& from, const std::string& to) {
    EXPECT_EQ(from.size(), to.size());
    std::string bytes = f_.Build(entries_);
    EXPECT_EQ(Found(bytes), "all");
    EXPECT_TRUE(lines_->all().empty()) << lines_->all()[0];
    const size_t at = bytes.rfind(from);
    if (at == std::string::npos) return "no " + from;
    bytes.replace(at, from.size(), to);
    const std::string found = Found(bytes);
    if (opening_.ok()) return WithTold(found);
    // Without the place, which depends on what else is in the file.
    const std::string said = opening_.ToString();
    return said.substr(0, said.find(" at offset")) +
           said.substr(said.rfind(": "));
  }
  std::string OfKind(char kind) {
    std::string bytes = f_.Build(entries_);
    const BlockHandle filter = BlockNamed(bytes, kBloom);
    bytes[filter.offset + filter.size - 5] = kind;
    return WithTold(Found(bytes));
  }
  // The partitions lie in front of what leads to them.
  std::string PartsOfKind(char kind) {
    f_.table.partition_filters = true;
    f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    f_.table.metadata_block_size = 128;
    std::string bytes = f_.Build(entries_);
    const BlockHandle top = BlockNamed(bytes, kPartitionedBloom);
    for (size_t at = 0; at + 5 < top.offset; ++at) {
      if (bytes[at] == '\xff' && bytes[at + 1] == '\0') bytes[at] = kind;
    }
    return WithTold(Found(bytes));
  }

 private:
  std::string WithTold(std::string text) const {
    for (const std::string& line : lines_->all()) text += "\n" + line;
    return text;
  }
};

std::string OddTableAnswer(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "top") return CrossedAnswer(command);
  const std::vector<std::string>& words = command.words();
  if (command.verb() == "rename") {
    return NamedOddTable().Renamed(words.at(0), words.at(1));
  }
  EXPECT_EQ(command.verb(), "kind");
  const char kind = BytesOfText(words.at(0)).at(0);
  return command.HasWord("partitioned") ? NamedOddTable().PartsOfKind(kind)
                                        : NamedOddTable().OfKind(kind);
}

TEST(OddTableScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/odd_tables.txt", OddTableAnswer), 23u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
