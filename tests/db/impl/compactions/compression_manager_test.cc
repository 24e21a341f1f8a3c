// Databases whose tables a compression manager of the application compresses.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/table/own_codec.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CompressionManagerTest : public DbFixture {
 protected:
  CompressionManagerTest() {
    options_.compression_manager = manager_;
    options_.compression = kCustomCompression80;
    options_.disable_auto_compactions = true;
  }
  OwnCodecState& state() { return manager_->state(); }

  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  static std::string Value(int i) {
    return std::string(300, static_cast<char>('a' + i % 26));
  }
  void Fill() {
    for (int i = 0; i < 300; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  }
  void ExpectAll() {
    for (int i = 0; i < 300; ++i) ASSERT_EQ(Get(Key(i)), Value(i)) << i;
  }
  std::string CompressionOfTables() {
    TablePropertiesCollection tables;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&tables));
    std::string names;
    for (const auto& [file, p] : tables) names += p->compression_name + " ";
    return names;
  }

  const std::shared_ptr<OwnManager> manager_ = std::make_shared<OwnManager>();
};

TEST_F(CompressionManagerTest, FlushesAndCompactionsAndReadsGoThroughIt) {
  options_.statistics = CreateDBStatistics();
  Open();
  Fill();
  ASSERT_OK(Flush());
  EXPECT_EQ(CompressionOfTables(), "OwnCodec;8081; ");
  EXPECT_GT(Ticker(NUMBER_BLOCK_COMPRESSED), 0u);
  Fill();
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(CompressionOfTables(), "OwnCodec;8081; ");
  Reopen();
  ExpectAll();
  EXPECT_GT(state().expanded, 0);
  EXPECT_GT(Ticker(NUMBER_BLOCK_DECOMPRESSED), 0u);
  db_.reset();
  EXPECT_EQ(state().areas, 0);
}

TEST_F(CompressionManagerTest, WithoutItItsFilesAreNotReadButNamed) {
  Open();
  Fill();
  ASSERT_OK(Flush());
  options_.compression_manager = nullptr;
  options_.compression = kNoCompression;
  const Status s = TryOpen();
  const std::string text = s.ok() ? Get(Key(0)) : s.ToString();
  EXPECT_NE(text.find("'OwnCodec'"), std::string::npos) << text;
  EXPECT_NE(text.find(".sst"), std::string::npos) << text;
  // Nothing is lost by having tried.
  options_.compression_manager = manager_;
  Open();
  ExpectAll();
}

TEST_F(CompressionManagerTest, OldFilesAreReadBesideNewOnes) {
  options_.compression_manager = nullptr;
  options_.compression = kNoCompression;
  for (const CompressionType type :
       {kLZ4Compression, kSnappyCompression, kZSTD}) {
    if (CompressionTypeSupported(type)) options_.compression = type;
  }
  Open();
  Fill();
  ASSERT_OK(Flush());
  options_.compression_manager = manager_;
  options_.compression = kCustomCompression80;
  Reopen();
  ExpectAll();
  EXPECT_EQ(state().expanded, 0);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(CompressionOfTables(), "OwnCodec;8081; ");
  ExpectAll();
  EXPECT_GT(state().expanded, 0);
}

TEST_F(CompressionManagerTest, WhatOptionsCannotGoTogether) {
  options_.compression = kZSTD;
  Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("OwnManager"), std::string::npos);

  options_.compression = kCustomCompression80;
  options_.compression_manager = nullptr;
  EXPECT_TRUE(TryOpen().IsInvalidArgument());

  BlockBasedTableOptions table;
  table.format_version = 6;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.compression_manager = manager_;
  s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find(
                "Using a CompressionManager incompatible with built-in"),
            std::string::npos);
  // The built-in one goes with every format.
  options_.compression_manager = CreateAutoSkipCompressionManager();
  options_.compression = kNoCompression;
  Open();
}

TEST_F(CompressionManagerTest, ComesBackFromTheOptionsFileIfItIsRegistered) {
  const auto library = ObjectRegistry::Default()->AddLibrary("own manager");
  library->AddFactory<CompressionManager>(
      "OwnManager", [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<OwnManager>();
        return guard->get();
      });
  Open();
  Fill();
  ASSERT_OK(Flush());
  db_.reset();
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &db_options, &families));
  ASSERT_EQ(families.size(), 1u);
  ASSERT_NE(families[0].options.compression_manager, nullptr);
  EXPECT_STREQ(families[0].options.compression_manager->Name(), "OwnManager");
  EXPECT_EQ(families[0].options.compression, kCustomCompression80);
  options_ = Options(db_options, families[0].options);
  Open();
  ExpectAll();
}

TEST_F(CompressionManagerTest, IsSetFromText) {
  ColumnFamilyOptions options;
  ASSERT_OK(GetColumnFamilyOptionsFromString(
      ConfigOptions(), ColumnFamilyOptions(), "compression_manager=BuiltinV2;",
      &options));
  ASSERT_NE(options.compression_manager, nullptr);
  EXPECT_STREQ(options.compression_manager->Name(),
               "BuiltinCompressionManagerV2");
  std::string text;
  ASSERT_OK(GetStringFromColumnFamilyOptions(ConfigOptions(), options, &text));
  EXPECT_NE(text.find("compression_manager=BuiltinV2;"), std::string::npos);
  std::shared_ptr<CompressionManager> made;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  EXPECT_TRUE(CompressionManager::CreateFromString(config, "Nobody", &made)
                  .IsNotSupported());
  for (const char* none : {"", "nullptr"}) {
    made = manager_;
    ASSERT_OK(CompressionManager::CreateFromString(config, none, &made));
    EXPECT_EQ(made, nullptr);
  }
  ASSERT_OK(CompressionManager::CreateFromString(
      config, "BuiltinCompressionManagerV2", &made));
  EXPECT_STREQ(made->CompatibilityName(), "BuiltinV2");
  EXPECT_EQ(made->FindCompatibleCompressionManager("BuiltinV2"), made);
}

TEST_F(CompressionManagerTest, ChangesWhileTheDatabaseIsOpen) {
  options_.compression_manager = nullptr;
  options_.compression = kNoCompression;
  Open();
  Fill();
  ASSERT_OK(db_->SetOptions({{"compression_manager", "BuiltinV2"}}));
  EXPECT_NE(db_->GetOptions().compression_manager, nullptr);
  ASSERT_OK(Flush());
  ExpectAll();
  // It has no such type.
  EXPECT_FALSE(db_->SetOptions({{"compression", "kCustomCompression80"}}).ok());
}

// What a compressor does wrong stops a flush, and loses nothing.
TEST_F(CompressionManagerTest, AFlushThatItFailsIsMadeUpFor) {
  for (const OwnFault fault :
       {OwnFault::kThrows, OwnFault::kFails, OwnFault::kTooLong,
        OwnFault::kUnknownType, OwnFault::kNoArea}) {
    state().fault = OwnFault::kNone;
    Open();
    Fill();
    state().fault = fault;
    EXPECT_FALSE(Flush().ok());
    ExpectAll();
    state().fault = OwnFault::kNone;
    Reopen();
    ExpectAll();
    ASSERT_OK(Flush());
    ExpectAll();
  }
  db_.reset();
  EXPECT_EQ(state().areas, 0);
}

TEST_F(CompressionManagerTest, ACompactionThatItFailsLosesNothing) {
  Open();
  for (int i = 0; i < 2; ++i) {
    Fill();
    ASSERT_OK(Flush());
  }
  state().fault = OwnFault::kThrows;
  EXPECT_FALSE(CompactAll().ok());
  state().fault = OwnFault::kNone;
  state().read_fault = OwnReadFault::kThrows;
  EXPECT_FALSE(CompactAll().ok());
  state().read_fault = OwnReadFault::kNone;
  Reopen();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  ExpectAll();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
