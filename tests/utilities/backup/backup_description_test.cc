// Backup descriptions of every schema are written and read, whole lines only,
// and damaged ones are refused.
#include "utilities/backup/backup_description.h"

#include <gtest/gtest.h>

#include "tests/utilities/backup/backup_fixture.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/copied_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr char kGood[] =
    "1795207416\n3\nmetadata 6D65746121\n2\n"
    "shared_checksum/000009_sKMPNB5UTQWPFLDOLJNAX_1014.sst crc32 2792082920\n"
    "private/1/CURRENT crc32 2659179228\n";

BackupDescription Decoded(const std::string& text) {
  BackupDescription result;
  EXPECT_OK(DecodeBackup(text, &result));
  return result;
}

Status StatusOf(const std::string& text) {
  BackupDescription result;
  return DecodeBackup(text, &result);
}

TEST(BackupDescriptionTest, BothWays) {
  const BackupDescription good = Decoded(kGood);
  EXPECT_EQ(good.timestamp, 1795207416);
  EXPECT_EQ(good.sequence, 3u);
  EXPECT_EQ(good.app_metadata, "meta!");
  ASSERT_EQ(good.files.size(), 2u);
  EXPECT_EQ(good.files[0].crc32c, 2792082920u);
  EXPECT_EQ(good.files[1].path, "private/1/CURRENT");
  EXPECT_EQ(EncodeBackup(good, 1), kGood);
}

TEST(BackupDescriptionTest, Schema2) {
  BackupDescription backup = Decoded(kGood);
  backup.files[0].temperature = Temperature::kCold;
  backup.files[0].size_bytes = 1014;
  backup.excluded.push_back("shared_checksum/000010_sX_7.sst");
  const std::string text = EncodeBackup(backup, 2);
  EXPECT_EQ(text,
            "schema_version 2.1\n1795207416\n3\nmetadata 6D65746121\n2\n"
            "shared_checksum/000009_sKMPNB5UTQWPFLDOLJNAX_1014.sst crc32 "
            "2792082920 size 1014 temp kCold\n"
            "private/1/CURRENT crc32 2659179228\n"
            "shared_checksum/000010_sX_7.sst ni::excluded true\n");
  const BackupDescription again = Decoded(text);
  EXPECT_EQ(again.files[0].temperature, Temperature::kCold);
  EXPECT_EQ(again.files[0].size_bytes, 1014u);
  EXPECT_EQ(again.excluded, backup.excluded);
}

std::string Schema2(const std::string& header, const std::string& fields,
                    const std::string& footer = "") {
  return "schema_version 2.7\n1\n2\n" + header +
         "1\nprivate/1/CURRENT crc32 7" + fields + "\n" + footer;
}

TEST(BackupDescriptionTest, FieldsOfLaterReleases) {
  EXPECT_OK(StatusOf(Schema2("", "")));
  EXPECT_OK(StatusOf(Schema2("new value\n", " xx 1")));
  EXPECT_OK(StatusOf(Schema2("", "", "// FOOTER\nany thing\n")));
  EXPECT_OK(StatusOf(Schema2("", " ni::excluded false")));
  EXPECT_EQ(Decoded(Schema2("", " temp kLava")).files[0].temperature,
            Temperature::kUnknown);
  EXPECT_TRUE(StatusOf(Schema2("ni::new value\n", "")).IsNotSupported());
  EXPECT_TRUE(StatusOf(Schema2("", " ni::xx 1")).IsNotSupported());
  EXPECT_TRUE(StatusOf(Schema2("", " ni::excluded maybe")).IsNotSupported());
  EXPECT_TRUE(
      StatusOf(Schema2("", "", "// FOOTER\nni::x y\n")).IsNotSupported());
  EXPECT_TRUE(StatusOf("schema_version 3\n1\n2\n0\n").IsNotSupported());
  EXPECT_TRUE(StatusOf("schema_version 20\n1\n2\n0\n").IsNotSupported());
  EXPECT_OK(StatusOf("schema_version 2\n1\n2\n0\n"));
}

TEST(BackupDescriptionTest, Damaged) {
  const auto with_line = [](const std::string& line) {
    return "1\n2\n1\n" + line + "\n";
  };
  EXPECT_OK(StatusOf(with_line("private/1/CURRENT crc32 7")));
  for (const std::string& text : {
           std::string(),
           std::string("\n"),
           std::string("1\n"),
           std::string("1\n2\n"),
           std::string("x\n2\n0\n"),
           std::string("1\n2\nmetadata zz\n0\n"),
           std::string("1\n2\nmetadata 123\n0\n"),
           std::string("1\n2\nother 12\n0\n"),
           std::string("1\n2\n1\n"),
           std::string("1\n2\n0\n\n"),
           std::string("1\n2\n99999999999\n"),
           with_line("private/1/CURRENT"),
           with_line("private/1/CURRENT crc32"),
           with_line("private/1/CURRENT crc32 07"),
           with_line("private/1/CURRENT crc32 -7"),
           with_line("private/1/CURRENT crc32 4294967296"),
           with_line("private/1/CURRENT crc32 7 size"),
           with_line("private/1/CURRENT crc32 7 size 7"),
           with_line("private/1/CURRENT crc33 7"),
           // Names of files that are not below the directory, or not of it.
           with_line("/etc/passwd crc32 7"),
           with_line("meta/1 crc32 7"),
           with_line("private/1/../../../x crc32 7"),
           with_line("private/01/x crc32 7"),
           with_line("private/1/.. crc32 7"),
           with_line("shared/a/b crc32 7"),
           with_line("shared/ crc32 7"),
           std::string("1\n2\n2\nprivate/1/A crc32 7\nprivate/1/A crc32 7\n"),
           std::string("1\n2\n2\nprivate/1/7.sst crc32 7\n"
                       "shared_checksum/7_8_9.sst crc32 7\n"),
           std::string("1\n2\n2\nprivate/1/CURRENT crc32 7\n"),
       }) {
    EXPECT_TRUE(StatusOf(text).IsCorruption()) << text;
  }
}

TEST(BackupDescriptionTest, WhatADamagedOneNeeds) {
  EXPECT_EQ(
      PathsIn("x\nprivate/1/CURRENT crc\nmeta/1\n\nshared/000001.sst"),
      (std::vector<std::string>{"private/1/CURRENT", "shared/000001.sst"}));
}

TEST(BackupNamesTest, AllForms) {
  SharedNameParts parts;
  parts.crc32c = 17;
  parts.size_bytes = 99;
  const auto by_session = static_cast<BackupEngineOptions::ShareFilesNaming>(
      BackupEngineOptions::kUseDbSessionId);
  const auto with_size = by_session | BackupEngineOptions::kFlagIncludeFileSize;
  EXPECT_EQ(SharedNameOf("000007.blob", parts, with_size), "000007_17_99.blob");
  parts.session_id = "ABC";
  EXPECT_EQ(SharedNameOf("000007.sst", parts, by_session), "000007_sABC.sst");
  EXPECT_EQ(SharedNameOf("000007.sst", parts, with_size), "000007_sABC_99.sst");
  for (const char* name :
       {"000007_sABC_99.sst", "000007_sABC.sst", "000007_17_99.sst"}) {
    EXPECT_EQ(DbNameOf(std::string("shared_checksum/") + name), "000007.sst");
    EXPECT_TRUE(ParseSharedName(name, &parts)) << name;
  }
  EXPECT_EQ(DbNameOf("shared/000007.sst"), "000007.sst");
  EXPECT_EQ(DbNameOf("private/1/MANIFEST-000001"), "MANIFEST-000001");
  for (const char* name :
       {"", "000007.sst", "000007_", "7_17.sst", "7_s.sst", "7_x_9.sst",
        "7_17_9_9.sst", "7_99999999999_1.sst", "7_sA_.sst"}) {
    EXPECT_FALSE(ParseSharedName(name, &parts)) << name;
  }
}

TEST(BackupNamesTest, Ids) {
  BackupID id = 0;
  EXPECT_TRUE(ParseBackupId("4294967295", &id));
  EXPECT_EQ(id, 4294967295u);
  for (const char* name : {"", "0", "01", "4294967296", "1x", "-1", ".1.tmp"}) {
    EXPECT_FALSE(ParseBackupId(name, &id)) << name;
  }
}

TEST(CopiedFilesTest, OnlyWholeLines) {
  EXPECT_TRUE(DecodeCopiedFiles("").empty());
  EXPECT_TRUE(
      DecodeCopiedFiles("shared_checksum/1_2_3.sst crc32 2 size 3 sum 0\n")
          .empty());
}

// The descriptions in a directory, however they came there.
class BackupMetaFilesTest : public BackupFixture {};

TEST_F(BackupMetaFilesTest, UnknownFieldsInDescriptions) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  backup_options_.schema_version = 2;
  OpenEngine();
  ASSERT_OK(Create());
  const std::string path = root_ + "/meta/1";
  const std::string text = ReadAll(path);
  const size_t end = text.find('\n', text.find("private/"));
  const auto with = [&](const std::string& field) {
    std::string changed = text;
    WriteAll(path, changed.insert(end, field));
    OpenEngine();
  };
  with(" xx 1");
  EXPECT_EQ(ValidIds().size(), 1u);
  EXPECT_EQ(ScanRestored(1), "a=1 ");
  with(" ni::xx 1");
  EXPECT_EQ(DamagedIds().size(), 1u);
  EXPECT_TRUE(engine_->VerifyBackup(1).IsNotSupported());
  WriteAll(path, "1\n2\nmetadata zz\n0\n");
  OpenEngine();
  EXPECT_EQ(DamagedIds().size(), 1u);
  // Names that are no ids are nobody's.
  WriteAll(root_ + "/meta/01", "x");
  WriteAll(root_ + "/meta/one", "x");
  OpenEngine();
  EXPECT_EQ(DamagedIds().size(), 1u);
}

TEST_F(BackupMetaFilesTest, DescriptionsWithoutChecksums) {
  backup_options_.schema_version = 2;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  std::string text = ReadAll(root_ + "/meta/1");
  for (size_t at; (at = text.find(" crc32 ")) != std::string::npos;) {
    text.erase(at, text.find_first_of(" \n", at + 7) - at);
  }
  WriteAll(root_ + "/meta/1", text);
  OpenEngine();
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
  // The next knows them all the same.
  backup_options_.schema_version = 1;
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_OK(engine_->VerifyBackup(2, true));
  FlipByte(root_ + "/shared_checksum/" + Below("shared_checksum").at(0), 5);
  EXPECT_TRUE(engine_->VerifyBackup(2, true).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
