// What descriptions of backups say, and the names of files in backups:
// testdata/backups.
//
//   decode             the description below, in short; without_end: its last
//                      line is cut off there
//   encode schema:N    the same, written anew
//   paths              what a damaged one needs
//
// names.txt has calls: shared_name NAME NAMING SESSION (of a file of 99 bytes,
// crc 17), parse NAME, in_database PATH, is_path PATH, is_shared PATH, id TEXT.
#include "utilities/backup/backup_description.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/testing/script.h"
#include "tests/testing/script_calls.h"
#include "tests/utilities/backup/backup_fixture.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/copied_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TextOfDescription(const BackupDescription& backup) {
  std::string text = "at " + std::to_string(backup.timestamp) + ", sequence " +
                     std::to_string(backup.sequence);
  if (!backup.app_metadata.empty()) {
    text += ", metadata " + TextOfBytes(backup.app_metadata);
  }
  text += "\n";
  for (const BackupFile& file : backup.files) {
    text += file.path;
    if (file.has_crc32c) text += ", crc " + std::to_string(file.crc32c);
    if (file.size_bytes != BackupFile::kUnknownSize) {
      text += ", " + std::to_string(file.size_bytes) + " bytes";
    }
    if (file.temperature != Temperature::kUnknown) {
      text +=
          ", temperature " + std::to_string(static_cast<int>(file.temperature));
    }
    text += "\n";
  }
  for (const std::string& path : backup.excluded) {
    text += path + ", excluded\n";
  }
  return text;
}

// The description that a case has, and what it says in the end.
std::string RunDescriptionCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "paths") {
    std::string text;
    for (const std::string& path : PathsIn(c.body)) text += path + "\n";
    return text;
  }
  BackupDescription backup;
  backup.timestamp = 4711;
  // An end that is cut off.
  const std::string text = command.HasWord("without_end")
                               ? c.body.substr(0, c.body.size() - 1)
                               : c.body;
  const Status s = DecodeBackup(text, &backup);
  if (!s.ok()) {
    EXPECT_EQ(backup.timestamp, 4711) << "untouched";
    return s.ToString() + "\n";
  }
  if (command.verb() == "decode") return TextOfDescription(backup);
  EXPECT_EQ(command.verb(), "encode");
  return EncodeBackup(backup, static_cast<int>(command.Number("schema", 1)));
}

TEST(BackupDescriptionTest, BothWays) {
  EXPECT_GE(RunScript("backups/descriptions.txt", RunDescriptionCase), 20u)
      << "cases went missing";
}

// One line of a file, or a whole description with \x0A at its ends of lines.
TEST(BackupDescriptionTest, Damaged) {
  const auto decoded = [](const std::string& text) {
    BackupDescription backup;
    return DecodeBackup(text, &backup).ToString();
  };
  const ScriptCalls calls = {
      {"text", [&](const CallArguments& a) { return decoded(a[0]); }},
      {"file",
       [&](const CallArguments& a) {
         return decoded("1\n2\n1\n" + a[0] + "\n");
       }},
      {"file_of_schema_2",
       [&](const CallArguments& a) {
         return decoded("schema_version 2.7\n1\n2\n1\n" + a[0] + "\n");
       }},
  };
  EXPECT_GE(RunCalls("backups/damaged.txt", calls), 65u)
      << "calls went missing";
}

std::string SharedNameBy(const CallArguments& a) {
  SharedNameParts parts;
  parts.crc32c = 17;
  parts.size_bytes = 99;
  if (a[2] != "-") parts.session_id = a[2];
  auto naming = static_cast<BackupEngineOptions::ShareFilesNaming>(
      BackupEngineOptions::kLegacyCrc32cAndFileSize);
  if (a[1].starts_with("session")) {
    naming = static_cast<BackupEngineOptions::ShareFilesNaming>(
        BackupEngineOptions::kUseDbSessionId);
  }
  if (a[1].ends_with("size")) {
    naming = naming | BackupEngineOptions::kFlagIncludeFileSize;
  }
  return SharedNameOf(a[0], parts, naming);
}

std::string ParsedSharedName(const CallArguments& a) {
  SharedNameParts parts;
  if (!ParseSharedName(a[0], &parts)) return "none";
  std::string text = parts.session_id.empty()
                         ? "crc " + std::to_string(parts.crc32c)
                         : "session " + parts.session_id;
  if (parts.has_size) text += ", " + std::to_string(parts.size_bytes);
  return text + " of " + DbNameOf("shared_checksum/" + a[0]);
}

TEST(BackupNamesTest, AllForms) {
  using Arguments = const CallArguments&;
  const ScriptCalls calls = {
      {"shared_name", SharedNameBy},
      {"parse", ParsedSharedName},
      {"in_database", [](Arguments a) { return DbNameOf(a[0]); }},
      {"is_path", [](Arguments a) { return YesOrNo(IsBackupPath(a[0])); }},
      {"is_shared", [](Arguments a) { return YesOrNo(IsSharedPath(a[0])); }},
      {"id",
       [](Arguments a) -> std::string {
         BackupID id = 0;
         return ParseBackupId(a[0], &id) ? std::to_string(id) : "none";
       }},
  };
  EXPECT_GE(RunCalls("backups/names.txt", calls), 60u) << "calls went missing";
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
