// Commands about column families: list, create, drop.

#include <cstdio>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ListFamiliesCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    // Looks whether the family of --column_family is there, too.
    PrepareOptions();
    std::vector<std::string> names;
    const Status s = DB::ListColumnFamilies(options_, db_path_, &names);
    if (!s.ok()) {
      std::fprintf(stderr, "Error in processing db %s %s\n", db_path_.c_str(),
                   s.ToString().c_str());
      // The line above says it all.
      return FailQuietly();
    }
    if (wants_json()) {
      for (const std::string& name : names) {
        PrintLine(JsonObject().Add("column_family", name).Text());
      }
      return;
    }
    std::string list;
    for (const std::string& name : names) {
      if (!list.empty()) list += ", ";
      list += name;
    }
    PrintLine("Column families in " + db_path_ + ": \n{" + list + "}");
  }
};

class CreateFamilyCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) Fail("new column family name must be specified");
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    ColumnFamilyHandle* handle = nullptr;
    const Status s = db_->CreateColumnFamily(options_, words()[0], &handle);
    if (!s.ok()) return Fail("Fail to create new column family", s);
    cf_handles_[words()[0]] = handle;
    PrintLine("OK");
  }
};

class DropFamilyCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) {
      Fail("The name of column family to drop must be specified");
    }
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    const auto found = cf_handles_.find(words()[0]);
    if (found == cf_handles_.end()) {
      return Fail("Column family: " + words()[0] + " doesn't exist in db.");
    }
    const Status s = db_->DropColumnFamily(found->second);
    if (!s.ok()) return Fail("Fail to drop column family", s);
    PrintLine("OK");
  }
};

}  // namespace

const std::vector<CommandRow>& FamilyCommands() {
  static const std::vector<CommandRow> kRows = {
      {"list_column_families",
       Opens::kNothing,
       "[--json]",
       "Prints the names of the column families, in the order of their "
       "creation.",
       {"json"},
       &MakeCommand<ListFamiliesCommand>},
      {"create_column_family",
       Opens::kForWriting,
       "<name>",
       "Makes a column family with default options.",
       {"db"},
       &MakeCommand<CreateFamilyCommand>,
       TakesOptions::kDbOnly},
      {"drop_column_family",
       Opens::kForWriting,
       "<name>",
       "Drops a column family, with all that is in it.",
       {"db"},
       &MakeCommand<DropFamilyCommand>,
       TakesOptions::kDbOnly},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
