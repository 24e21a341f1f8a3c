// kvdump: prints what a reader of a database sees, in a form to compare.
//
//   kvdump DB_DIR               a line for each key of each column family:
//                               family TAB key in hex TAB value in hex
//   kvdump --digest DB_DIR      a line for each column family:
//                               family TAB number of keys TAB digest
//   --cf_options=TEXT           options of the families as option text, such
//                               as merge_operator=stringappend
//
// The database is opened for reading only. The program uses the public
// interface alone, so it can be built against any engine that has it; two
// engines agree on a database if their output is equal.

#include <xxhash.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "tools/common/exit_status.h"

namespace ROCKSDB_NAMESPACE::kvdump {

namespace {

enum class Form { kLines, kDigest };

struct Arguments {
  std::string path;
  std::string cf_options;
  Form form = Form::kLines;
};

// An open database and the handles of its families.
class OpenDatabase {
 public:
  ~OpenDatabase() {
    for (ColumnFamilyHandle* family : families_) delete family;
  }

  Status Open(const Arguments& arguments);

  DB* db() const { return db_.get(); }
  const std::vector<ColumnFamilyHandle*>& families() const { return families_; }

 private:
  std::unique_ptr<DB> db_;  // Closed after the handles are gone.
  std::vector<ColumnFamilyHandle*> families_;
};

Status OpenDatabase::Open(const Arguments& arguments) {
  ColumnFamilyOptions cf;
  Status s = GetColumnFamilyOptionsFromString(
      ConfigOptions(), ColumnFamilyOptions(), arguments.cf_options, &cf);
  if (!s.ok()) return s;
  std::vector<std::string> names;
  s = DB::ListColumnFamilies(DBOptions(), arguments.path, &names);
  if (!s.ok()) return s;
  std::vector<ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, cf);
  DB* db = nullptr;
  s = DB::OpenForReadOnly(DBOptions(), arguments.path, descriptors, &families_,
                          &db);
  db_.reset(db);
  return s;
}

void AppendHex(const Slice& bytes, std::string* text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text->push_back(kDigits[byte >> 4]);
    text->push_back(kDigits[byte & 15]);
  }
}

// Lengths go in as well, so that no byte can move between key and value.
void AddToDigest(const Slice& bytes, XXH3_state_t* digest) {
  const uint64_t size = bytes.size();
  XXH3_64bits_update(digest, &size, sizeof(size));
  XXH3_64bits_update(digest, bytes.data(), bytes.size());
}

bool PrintEntry(const std::string& family, const Iterator& entry,
                std::string* line) {
  line->assign(family);
  line->push_back('\t');
  AppendHex(entry.key(), line);
  line->push_back('\t');
  AppendHex(entry.value(), line);
  line->push_back('\n');
  return fwrite(line->data(), 1, line->size(), stdout) == line->size();
}

struct FreeDigest {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

Status DumpFamily(DB* db, ColumnFamilyHandle* family, Form form) {
  ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;
  const std::unique_ptr<XXH3_state_t, FreeDigest> digest(XXH3_createState());
  XXH3_64bits_reset(digest.get());
  const std::unique_ptr<Iterator> entry(db->NewIterator(options, family));
  const std::string name = family->GetName();
  unsigned long long count = 0;
  std::string line;
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    ++count;
    if (form == Form::kDigest) {
      AddToDigest(entry->key(), digest.get());
      AddToDigest(entry->value(), digest.get());
    } else if (!PrintEntry(name, *entry, &line)) {
      return Status::IOError("standard output", "cannot be written");
    }
  }
  if (form == Form::kDigest && entry->status().ok()) {
    const unsigned long long value = XXH3_64bits_digest(digest.get());
    printf("%s\t%llu\t%016llX\n", name.c_str(), count, value);
  }
  return entry->status();
}

Status Dump(const Arguments& arguments) {
  OpenDatabase database;
  if (Status s = database.Open(arguments); !s.ok()) return s;
  for (ColumnFamilyHandle* family : database.families()) {
    Status s = DumpFamily(database.db(), family, arguments.form);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

bool ReadArguments(int argc, char** argv, Arguments* arguments) {
  static const std::string cf_options = "--cf_options=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--digest") {
      arguments->form = Form::kDigest;
    } else if (argument.compare(0, cf_options.size(), cf_options) == 0) {
      arguments->cf_options = argument.substr(cf_options.size());
    } else if (argument.empty() || argument[0] == '-' ||
               !arguments->path.empty()) {
      return false;
    } else {
      arguments->path = argument;
    }
  }
  return !arguments->path.empty();
}

int Main(int argc, char** argv) {
  Arguments arguments;
  if (!ReadArguments(argc, argv, &arguments)) {
    fprintf(stderr, "usage: kvdump [--digest] [--cf_options=TEXT] DB_DIR\n");
    return 1;
  }
  const Status s = Dump(arguments);
  if (s.ok()) return 0;
  fprintf(stderr, "kvdump: %s: %s\n", arguments.path.c_str(),
          s.ToString().c_str());
  return 1;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::kvdump

int main(int argc, char** argv) {
  return tools::ExitStatus(ROCKSDB_NAMESPACE::kvdump::Main(argc, argv));
}
