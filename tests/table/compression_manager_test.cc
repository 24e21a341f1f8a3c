// Tables whose blocks a compression manager of the application compresses.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/object_registry.h"
#include "table/format.h"
#include "table/metaindex.h"
#include "table/table_reader.h"
#include "tests/table/own_codec.h"
#include "tests/table/stored_table.h"
#include "tests/table/table_fixture.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Values of long runs, and of repeated words.
std::vector<TableEntry> RunEntries(size_t count) {
  std::vector<TableEntry> entries = NumberedEntries(count);
  for (size_t i = 0; i < count; ++i) {
    std::string& value = entries[i].value;
    value.assign(150, static_cast<char>('a' + i % 26));
    for (int n = 0; n < 15; ++n) value += "word";
    value += std::string(250, static_cast<char>('A' + i % 26));
  }
  return entries;
}

class OwnTableTest : public testing::Test {
 protected:
  OwnTableTest() {
    fixture_.family.compression_manager = manager_;
    fixture_.compression = kCustomCompression80;
    fixture_.table.verify_compression = true;
  }
  OwnCodecState& state() { return manager_->state(); }

  // Everything reads back.
  void ExpectReads(const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    ASSERT_TRUE(s.ok()) << s.ToString();
    const ReadOptions read;
    TableIteratorOptions scan;
    scan.read_options = &read;
    std::unique_ptr<InternalIterator> it(reader->NewIterator(scan));
    EXPECT_EQ(ScanForward(it.get()), ToKeyValues(entries_));
    EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    for (size_t i = 0; i < entries_.size(); i += 37) {
      EXPECT_EQ(fixture_.Get(*reader, entries_[i].user_key),
                "=" + entries_[i].value);
    }
    it.reset();
    reader.reset();
    EXPECT_EQ(state().areas, 0);
  }
  Status OpenStatus(const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    return fixture_.Open(bytes, &reader);
  }
  // What a lookup of the first key says.
  std::string FirstRead(const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    return s.ok() ? fixture_.Get(*reader, entries_[0].user_key) : s.ToString();
  }

  const std::vector<TableEntry> entries_ = RunEntries(500);
  const std::shared_ptr<OwnManager> manager_ = std::make_shared<OwnManager>();
  TableFixture fixture_;
};

TEST_F(OwnTableTest, RoundTripsWithSeveralTypesInOneFile) {
  const std::string bytes = fixture_.Build(entries_);
  EXPECT_EQ(state().areas, 0);
  EXPECT_GT(state().blocks, 10);
  const TableProperties& p = fixture_.built_properties;
  EXPECT_EQ(p.compression_name, "OwnCodec;8081;");
  EXPECT_NE(
      p.compression_options.find(
          "_compression_manager=OwnManager; _compressor=OwnCompressor:1;"),
      std::string::npos)
      << p.compression_options;
  EXPECT_LT(p.data_size, p.raw_value_size * 3 / 4);
  EXPECT_EQ(p.num_data_blocks_compression_rejected, 0u);
  EXPECT_EQ(p.num_data_blocks_compression_bypassed, 0u);
  ExpectReads(bytes);
  EXPECT_GT(state().expanded, 10);
}

TEST_F(OwnTableTest, WhatDoesNotShrinkIsStoredAsItIs) {
  std::vector<TableEntry> noise = NumberedEntries(200);
  Random64 random(301);
  for (TableEntry& entry : noise) entry.value = random.RandomBytes(300);
  const std::string bytes = fixture_.Build(noise);
  const TableProperties& p = fixture_.built_properties;
  EXPECT_EQ(p.num_data_blocks_compression_rejected, p.num_data_blocks);
  EXPECT_EQ(p.num_data_blocks_compression_bypassed, 0u);
  EXPECT_TRUE(OpenStatus(bytes).ok());
}

TEST_F(OwnTableTest, ACompressorMayPassBlocksBy) {
  state().bypasses = true;
  const std::string bytes = fixture_.Build(entries_);
  const TableProperties& p = fixture_.built_properties;
  EXPECT_EQ(p.compression_name, "OwnCodec;;");
  EXPECT_EQ(p.num_data_blocks_compression_bypassed, p.num_data_blocks);
  EXPECT_EQ(p.num_data_blocks_compression_rejected, 0u);
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, WithoutACompressorNothingIsCompressed) {
  state().fault = OwnFault::kNoCompressor;
  const std::string bytes = fixture_.Build(entries_);
  EXPECT_EQ(fixture_.built_properties.compression_name, ";;");
  fixture_.family.compression_manager = nullptr;
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, IsAskedOfFilesThatAreToBeStoredAsTheyAre) {
  fixture_.compression = kNoCompression;
  fixture_.Build(entries_);
  EXPECT_EQ(fixture_.built_properties.compression_name, ";;");
  EXPECT_EQ(state().blocks, 0);
}

// --- Dictionaries

TEST_F(OwnTableTest, DictionaryOfSamples) {
  const size_t plain = fixture_.Build(entries_).size();
  state().guidance = Compressor::DictSampling{4096};
  const std::string bytes = fixture_.Build(entries_);
  EXPECT_LT(bytes.size(), plain * 3 / 4);
  const StoredTable stored(bytes);
  const auto names = stored.MetaindexNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), kDictionaryBlock), 1);
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, DictionaryThatIsGiven) {
  const size_t plain = fixture_.Build(entries_).size();
  state().guidance = Compressor::DictPreDefined{"wordword"};
  const std::string bytes = fixture_.Build(entries_);
  EXPECT_LT(bytes.size(), plain * 3 / 4);
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, SamplesMayMakeNoDictionary) {
  state().guidance = Compressor::DictSampling{4};
  const std::string bytes = fixture_.Build(entries_);
  const auto names = StoredTable(bytes).MetaindexNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), kDictionaryBlock), 0);
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, DictionaryThatTheDecompressorRefuses) {
  state().guidance = Compressor::DictPreDefined{"word"};
  fixture_.table.verify_compression = false;
  const std::string bytes = fixture_.Build(entries_);
  state().read_fault = OwnReadFault::kThrowsForDictionary;
  const Status thrown = OpenStatus(bytes);
  EXPECT_TRUE(thrown.IsAborted()) << thrown.ToString();
  EXPECT_NE(thrown.ToString().find("000007.sst"), std::string::npos);
  state().read_fault = OwnReadFault::kNothingForDictionary;
  EXPECT_TRUE(OpenStatus(bytes).IsNotSupported());
}

// --- Threads

TEST_F(OwnTableTest, ThreadsHaveClones) {
  state().mixes_types = false;
  for (const bool has_dictionary : {false, true}) {
    if (has_dictionary) state().guidance = Compressor::DictPreDefined{"word"};
    fixture_.compression_options.parallel_threads = 1;
    const std::string one = fixture_.Build(entries_);
    fixture_.compression_options.parallel_threads = 4;
    EXPECT_EQ(fixture_.Build(entries_), one);
    // A compressor may want threads that nobody asked for.
    fixture_.compression_options.parallel_threads = 1;
    state().recommended_threads = 3;
    EXPECT_NE(fixture_.Build(entries_), "");
    state().recommended_threads = 0;
    ExpectReads(one);
  }
  fixture_.compression_options.parallel_threads = 4;
  state().fault = OwnFault::kNoClone;
  Status s;
  fixture_.Build(entries_, &s);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(state().areas, 0);
}

// --- Who reads it

TEST_F(OwnTableTest, AManagerThatNobodyKnowsIsNamed) {
  const std::string bytes = fixture_.Build(entries_);
  for (const auto& other :
       {std::shared_ptr<CompressionManager>(), GetBuiltinV2CompressionManager(),
        std::shared_ptr<CompressionManager>(
            CreateAutoSkipCompressionManager())}) {
    fixture_.family.compression_manager = other;
    const Status s = OpenStatus(bytes);
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    EXPECT_NE(s.ToString().find("'OwnCodec'"), std::string::npos);
    EXPECT_NE(s.ToString().find("000007.sst"), std::string::npos);
  }
}

TEST_F(OwnTableTest, ARegisteredManagerIsFound) {
  const std::string bytes = fixture_.Build(entries_);
  fixture_.family.compression_manager = nullptr;
  ASSERT_TRUE(OpenStatus(bytes).IsNotSupported());
  const auto library = ObjectRegistry::Default()->AddLibrary("own codec");
  library->AddFactory<CompressionManager>(
      "OwnCodec", [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<OwnManager>();
        return guard->get();
      });
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, BuiltInFilesAreReadBesideIt) {
  for (const CompressionType type : {kSnappyCompression, kLZ4Compression}) {
    if (!CompressionTypeSupported(type)) continue;
    for (const uint32_t version : {2u, 5u, 7u}) {
      fixture_.table.format_version = version;
      fixture_.family.compression_manager = nullptr;
      fixture_.compression = type;
      const std::string bytes = fixture_.Build(entries_);
      fixture_.family.compression_manager = manager_;
      ExpectReads(bytes);
    }
  }
  EXPECT_EQ(state().expanded, 0);
}

TEST_F(OwnTableTest, OlderFormatsHaveNoRoomForItsName) {
  for (uint32_t version = 2; version < 7; ++version) {
    fixture_.table.format_version = version;
    Status s;
    fixture_.Build(entries_, &s);
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("Using a CompressionManager incompatible with "
                                "built-in"),
              std::string::npos);
  }
}

TEST_F(OwnTableTest, ATypeThatItLacks) {
  fixture_.compression = kZSTD;
  Status s;
  fixture_.Build(entries_, &s);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
}

TEST_F(OwnTableTest, NamesOfTypesForPeople) {
  const std::string name = "OwnCodec;8081;";
  EXPECT_EQ(ParseCompressionNameForDisplay(name), "Custom80,Custom81");
  EXPECT_EQ(ParseCompressionNameForDisplay(name, manager_), "Runs,Custom81");
  EXPECT_EQ(ParseCompressionNameForDisplay(name, nullptr), "Custom80,Custom81");
  EXPECT_EQ(ParseCompressionNameForDisplay("BuiltinV2;07;", manager_), "ZSTD");
  EXPECT_EQ(ParseCompressionNameForDisplay("Others;80;", manager_), "Custom80");
  EXPECT_EQ(ParseCompressionNameForDisplay(";;", manager_), "NoCompression");
}

// --- Faults

TEST_F(OwnTableTest, FaultsOfACompressorFailTheFile) {
  struct Case {
    OwnFault fault;
    Status::Code code;
    const char* text;
  };
  for (const uint32_t threads : {1u, 3u}) {
    fixture_.compression_options.parallel_threads = threads;
    for (const Case& c : {
             Case{OwnFault::kThrows, Status::kAborted, "own fault"},
             Case{OwnFault::kThrowsNoException, Status::kAborted, "threw"},
             Case{OwnFault::kNoArea, Status::kAborted, "no area"},
             Case{OwnFault::kFails, Status::kBusy, "own fault"},
             Case{OwnFault::kTooLong, Status::kCorruption, "room for"},
             Case{OwnFault::kUnknownType, Status::kCorruption, "CustomA0"},
             Case{OwnFault::kForbiddenType, Status::kCorruption,
                  "DisableOption"},
             Case{OwnFault::kWrongContent, Status::kCorruption,
                  "verify_compression"},
         }) {
      state().fault = c.fault;
      Status s;
      fixture_.Build(entries_, &s);
      EXPECT_EQ(s.code(), c.code) << s.ToString();
      EXPECT_NE(s.ToString().find(c.text), std::string::npos) << s.ToString();
      EXPECT_EQ(state().areas, 0);
    }
    state().fault = OwnFault::kNone;
    ExpectReads(fixture_.Build(entries_));
  }
}

TEST_F(OwnTableTest, FaultsOfADecompressorFailTheRead) {
  fixture_.table.verify_compression = false;
  const std::string bytes = fixture_.Build(entries_);
  state().read_fault = OwnReadFault::kNoDecompressor;
  EXPECT_TRUE(OpenStatus(bytes).IsNotSupported());
  for (const auto& [fault, text] : {
           std::pair(OwnReadFault::kThrows, "own fault"),
           std::pair(OwnReadFault::kThrowsForSize, "own fault"),
           std::pair(OwnReadFault::kHugeSize, "impossible"),
       }) {
    state().read_fault = fault;
    const std::string answer = FirstRead(bytes);
    EXPECT_TRUE(answer.starts_with("Corruption")) << answer;
    EXPECT_NE(answer.find(text), std::string::npos) << answer;
    EXPECT_NE(answer.find("000007.sst"), std::string::npos) << answer;
    EXPECT_EQ(state().areas, 0);
  }
  state().read_fault = OwnReadFault::kNone;
  ExpectReads(bytes);
}

TEST_F(OwnTableTest, DamagedBlocksAreNoticed) {
  const std::string bytes = fixture_.Build(entries_);
  const BlockHandle block = StoredTable(bytes).DataBlock(0);
  for (uint64_t at = 0; at < block.size + kBlockTrailerBytes; ++at) {
    std::string damaged = bytes;
    damaged[static_cast<size_t>(block.offset + at)] ^= 0x10;
    EXPECT_TRUE(FirstRead(damaged).starts_with("Corruption")) << at;
    // Without checksums the codec may or may not notice; nothing else happens.
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(fixture_.Open(damaged, &reader).ok());
    ReadOptions unchecked;
    unchecked.verify_checksums = false;
    fixture_.Get(*reader, entries_[0].user_key, kMaxSequenceNumber, unchecked);
  }
}

// --- Managers that use the built-in codecs

// Chooses a built-in codec for each block in turn.
class TurnCompressor final : public CompressorWrapper {
 public:
  explicit TurnCompressor(std::vector<CompressionType> types)
      : CompressorWrapper(GetBuiltinV2CompressionManager()->GetCompressor(
            CompressionOptions(), types[0])),
        types_(std::move(types)) {}
  const char* Name() const override { return "TurnCompressor"; }
  std::unique_ptr<Compressor> Clone() const override {
    return std::make_unique<TurnCompressor>(types_);
  }
  Status CompressBlock(Slice raw, char* out, size_t* size,
                       CompressionType* type, ManagedWorkingArea*) override {
    const auto codec = GetBuiltinV2CompressionManager()->GetCompressor(
        CompressionOptions(), types_[count_++ % types_.size()]);
    return codec->CompressBlock(raw, out, size, type, nullptr);
  }

 private:
  const std::vector<CompressionType> types_;
  size_t count_ = 0;
};

class TurnManager final : public CompressionManagerWrapper {
 public:
  explicit TurnManager(std::vector<CompressionType> types)
      : CompressionManagerWrapper(GetBuiltinV2CompressionManager()),
        types_(std::move(types)) {}
  const char* Name() const override { return "TurnManager"; }
  std::unique_ptr<Compressor> GetCompressorForSST(const FilterBuildingContext&,
                                                  const CompressionOptions&,
                                                  CompressionType) override {
    return std::make_unique<TurnCompressor>(types_);
  }

 private:
  const std::vector<CompressionType> types_;
};

TEST(TurnTableTest, SeveralBuiltInCodecsInFilesOfAnyFormat) {
  std::vector<CompressionType> types;
  std::string digits;
  for (const auto& [type, text] :
       {std::pair(kSnappyCompression, "01"), std::pair(kZlibCompression, "02"),
        std::pair(kLZ4Compression, "04")}) {
    if (!CompressionTypeSupported(type)) continue;
    types.push_back(type);
    digits += text;
  }
  if (types.empty()) GTEST_SKIP() << "no codecs in this build";
  const std::vector<TableEntry> entries = RunEntries(400);
  for (uint32_t version = 2; version <= 7; ++version) {
    TableFixture fixture;
    fixture.table.format_version = version;
    // Whatever else the options ask for.
    fixture.compression = kNoCompression;
    fixture.family.compression_manager = std::make_shared<TurnManager>(types);
    const std::string bytes = fixture.Build(entries);
    const std::string name = fixture.built_properties.compression_name;
    EXPECT_EQ(name, version < 7 ? CompressionTypeToString(types[0])
                                : "BuiltinV2;" + digits + ";");
    // It takes no such manager to read that.
    fixture.family.compression_manager = nullptr;
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
    const ReadOptions read;
    TableIteratorOptions scan;
    scan.read_options = &read;
    std::unique_ptr<InternalIterator> it(reader->NewIterator(scan));
    EXPECT_EQ(ScanForward(it.get()), ToKeyValues(entries));
  }
}

TEST(TurnTableTest, UnderTheBuiltInNameOnlyBuiltInTypesAreWritten) {
  // Passes its blocks off as built-in ones.
  class Impostor final : public CompressionManagerWrapper {
   public:
    Impostor() : CompressionManagerWrapper(std::make_shared<OwnManager>()) {}
    const char* Name() const override { return "Impostor"; }
    const char* CompatibilityName() const override { return "BuiltinV2"; }
  };
  TableFixture fixture;
  fixture.compression = kCustomCompression80;
  fixture.family.compression_manager = std::make_shared<Impostor>();
  Status s;
  fixture.Build(RunEntries(100), &s);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
}

CompressionType PlainestCodec() {
  for (const CompressionType type :
       {kLZ4Compression, kSnappyCompression, kZlibCompression, kZSTD}) {
    if (CompressionTypeSupported(type)) return type;
  }
  return kNoCompression;
}

TEST(AutoSkipTableTest, WhatDoesNotShrinkIsMostlyNotTried) {
  if (PlainestCodec() == kNoCompression) GTEST_SKIP();
  Random64 random(301);
  std::vector<TableEntry> noise = NumberedEntries(2000);
  for (TableEntry& entry : noise) entry.value = random.RandomBytes(400);
  TableFixture fixture;
  fixture.compression = PlainestCodec();
  fixture.family.compression_manager = CreateAutoSkipCompressionManager();
  const std::string bytes = fixture.Build(noise);
  const TableProperties& p = fixture.built_properties;
  EXPECT_EQ(p.compression_name, "BuiltinV2;;");
  EXPECT_EQ(p.num_data_blocks_compression_bypassed +
                p.num_data_blocks_compression_rejected,
            p.num_data_blocks);
  EXPECT_GT(p.num_data_blocks_compression_bypassed, p.num_data_blocks / 2);
  EXPECT_GE(p.num_data_blocks_compression_rejected, 10u);
  EXPECT_NE(p.compression_options.find("_compression_manager=BuiltinV2; "),
            std::string::npos)
      << p.compression_options;
  // The same blocks make the same file.
  EXPECT_EQ(fixture.Build(noise), bytes);
}

TEST(AutoSkipTableTest, WhatShrinksAgainIsTriedAgain) {
  if (PlainestCodec() == kNoCompression) GTEST_SKIP();
  Random64 random(301);
  std::vector<TableEntry> entries = NumberedEntries(6000);
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].value =
        i < 1000 ? random.RandomBytes(400) : std::string(400, 'a');
  }
  TableFixture fixture;
  fixture.compression = PlainestCodec();
  fixture.family.compression_manager = CreateAutoSkipCompressionManager();
  fixture.Build(entries);
  const TableProperties& p = fixture.built_properties;
  EXPECT_GT(p.num_data_blocks_compression_bypassed, 0u);
  // One in ten tells of a change; ten such make a window.
  EXPECT_LT(p.num_data_blocks_compression_bypassed, p.num_data_blocks / 2);
  EXPECT_LT(p.data_size, uint64_t{1000} * 430 + 5000 * 200);
}

TEST(AutoSkipTableTest, DictionariesGoThroughIt) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  TableFixture fixture;
  fixture.compression = kZSTD;
  fixture.compression_options.max_dict_bytes = 2000;
  const std::vector<TableEntry> entries = NumberedEntries(2000);
  const std::string plain = fixture.Build(entries);
  fixture.family.compression_manager = CreateAutoSkipCompressionManager();
  const std::string bytes = fixture.Build(entries);
  const auto names = StoredTable(bytes).MetaindexNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), kDictionaryBlock), 1);
  EXPECT_EQ(fixture.built_properties.num_data_blocks_compression_bypassed, 0u);
  fixture.family.compression_manager = nullptr;
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  EXPECT_EQ(fixture.Get(*reader, "key00077"), "=" + entries[77].value);
}

TEST(CostAwareTableTest, IsZstdAtItsOwnLevel) {
  if (!CompressionTypeSupported(kZSTD) || PlainestCodec() == kZSTD)
    GTEST_SKIP();
  const std::vector<TableEntry> entries = NumberedEntries(2000);
  TableFixture fixture;
  fixture.compression = PlainestCodec();
  fixture.compression_options.level = 1;
  fixture.family.compression_manager = CreateCostAwareCompressionManager();
  fixture.Build(entries);
  EXPECT_EQ(fixture.built_properties.compression_name, "BuiltinV2;07;");
  fixture.compression = kNoCompression;
  fixture.Build(entries);
  EXPECT_EQ(fixture.built_properties.compression_name, ";;");
  // Where there is no ZSTD it is what was asked for.
  fixture.compression = kCustomCompression80;
  fixture.family.compression_manager =
      CreateCostAwareCompressionManager(std::make_shared<OwnManager>());
  fixture.Build(RunEntries(100));
  EXPECT_EQ(fixture.built_properties.compression_name, "OwnCodec;8081;");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
