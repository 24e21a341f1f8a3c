// The texts of errors when a database or a family is opened, and those of
// families with timestamps: tests/testdata/databases/errors/open_*.txt, in the
// language of database_script.h. Programs compare these texts: they begin with
// the words that RocksDB uses, capitals and punctuation included; what the
// engine adds comes behind them.
//
//   load_options          by the newest OPTIONS file
//   no_name open|read_only|repair|destroy   of a database whose name is empty
//   open_at PATH          beside the database
//   paths db_paths|cf_paths N, other_order  opens by what no string can tell
//   short_put|short_delete|short_get        by a timestamp of two bytes
//   short_batch, parts_batch                parts of a batch, likewise
//   short_history                           raises the low timestamp to one
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/write_batch.h"
#include "tests/db/impl/database_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string LoadOptionsError(ScriptDatabase& database, const ScriptLine& line) {
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  return AnswerOf(line, LoadLatestOptions(ConfigOptions(), database.path(),
                                          &options, &families));
}

std::string NamelessError(ScriptDatabase& database, const ScriptLine& line) {
  const Options& options = database.options();
  std::unique_ptr<DB> db;
  const std::string call = line.words.Word(0);
  Status s;
  if (call == "open") {
    s = DB::Open(options, "", &db);
  } else if (call == "read_only") {
    s = DB::OpenForReadOnly(options, "", &db);
  } else if (call == "repair") {
    s = RepairDB("", options);
  } else {
    s = DestroyDB("", options);
  }
  return call + ": " + s.ToString();
}

std::string OpenBeside(ScriptDatabase& database, const ScriptLine& line) {
  std::unique_ptr<DB> db;
  return AnswerOf(line, DB::Open(database.options(),
                                 database.Beside(line.words.Word(0)), &db));
}

std::string OpenByPaths(ScriptDatabase& database, const ScriptLine& line) {
  Options options = database.options();
  std::vector<DbPath>& paths =
      line.words.Word(0) == "db_paths" ? options.db_paths : options.cf_paths;
  paths.resize(std::stoull(line.words.Word(1)), {"/tmp", 1});
  std::unique_ptr<DB> db;
  return AnswerOf(line, DB::Open(options, database.path(), &db));
}

class OtherOrder : public Comparator {
 public:
  const char* Name() const override { return "foo"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

std::string MakeInOtherOrder(ScriptDatabase& database, const ScriptLine& line) {
  const OtherOrder order;
  Options options = database.options();
  options.comparator = &order;
  std::unique_ptr<DB> db;
  return AnswerOf(line, DB::Open(options, database.path(), &db));
}

std::string ByShortTimestamp(ScriptDatabase& database, const ScriptLine& line) {
  const Slice ts("ts");
  const std::string& verb = line.words.verb();
  DB* const db = database.db();
  if (verb == "short_put") {
    return AnswerOf(line, db->Put(WriteOptions(), "k", ts, "v"));
  }
  if (verb == "short_delete") {
    return AnswerOf(line, db->Delete(WriteOptions(), Slice("k"), ts));
  }
  if (verb == "short_history") {
    return AnswerOf(line, db->IncreaseFullHistoryTsLow(nullptr, "ts"));
  }
  WriteBatch batch;
  if (verb == "short_batch") {
    return AnswerOf(line, batch.Put(db->DefaultColumnFamily(), "k", ts, "v"));
  }
  if (verb == "parts_batch") {
    const Slice parts[] = {"k", "v"};
    return AnswerOf(line,
                    batch.Put(db->DefaultColumnFamily(), SliceParts(parts, 1),
                              SliceParts(parts + 1, 1)));
  }
  ReadOptions options;
  options.timestamp = &ts;
  std::string value;
  return AnswerOf(line, db->Get(options, "k", &value));
}

const DatabaseCommands& OpenErrorCommands() {
  static const DatabaseCommands kCommands{
      {"load_options", LoadOptionsError},
      {"no_name", NamelessError},
      {"paths", OpenByPaths},
      {"other_order", MakeInOtherOrder},
      {"short_put", ByShortTimestamp},
      {"short_delete", ByShortTimestamp},
      {"short_get", ByShortTimestamp},
      {"short_batch", ByShortTimestamp},
      {"open_at", OpenBeside},
      {"parts_batch", ByShortTimestamp},
      {"short_history", ByShortTimestamp},
  };
  return kCommands;
}

size_t RunOpenErrors(const std::string& file) {
  return RunDatabases(file, ScriptDatabase::Defaults(), OpenErrorCommands());
}

TEST(OpenErrorTextTest, Opening) {
  EXPECT_GE(RunOpenErrors("databases/errors/open_files.txt"), 26u);
}
TEST(OpenErrorTextTest, Options) {
  EXPECT_GE(RunOpenErrors("databases/errors/open_options.txt"), 40u);
}
TEST(OpenErrorTextTest, Timestamps) {
  EXPECT_GE(RunOpenErrors("databases/errors/open_timestamps.txt"), 14u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
