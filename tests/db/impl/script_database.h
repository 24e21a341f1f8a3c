// The database of a script's case: what is open, by which options, and what
// its files are called.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "file/filename.h"
#include "rocksdb/db.h"
#include "tests/testing/script.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

// One command.
struct ScriptLine {
  explicit ScriptLine(const std::string& line);

  ScriptWords words;
  std::string rest;  // the text behind the verb, uncut
};

// The iterator that a case has open, and what it reads by.
struct ScriptIterator {
  std::shared_ptr<const void> read_to;  // what `read` points to
  ReadOptions read;
  std::unique_ptr<Iterator> it;
};

// Confined to one thread. Directories are those of the file system.
class ScriptDatabase {
 public:
  using Named = std::map<std::string, std::string>;

  explicit ScriptDatabase(const Options& options);
  ~ScriptDatabase();
  ScriptDatabase(const ScriptDatabase&) = delete;
  ScriptDatabase& operator=(const ScriptDatabase&) = delete;

  // A database is made where there is none, and nothing is compressed.
  static Options Defaults();

  // From now on; families that have options of their own keep them.
  Status SetOptions(const Named& named);
  static Status ApplyOptions(const Named& named, Options* options);

  // What a line asks to be opened, in place of what is open.
  Status Open(const ScriptLine& line);
  void Close();
  // Goes on with a copy of what the files are now.
  void Kill();

  // Chooses which of the two instances the next commands are for.
  void UseReader(bool is_reader) { now_ = is_reader ? &reader_ : &main_; }
  // Null while it is closed.
  DB* db() const { return now_->db.get(); }
  // The handle of a family that is open.
  ColumnFamilyHandle* Family(const std::string& name) const;
  std::vector<ColumnFamilyHandle*> Families(
      const std::vector<std::string>& names) const;
  Status CreateFamily(const std::string& name, const Named& named);
  Status DropFamily(const std::string& name);
  const std::vector<std::string>& families() const { return families_; }
  ColumnFamilyOptions OptionsOf(const std::string& family) const;

  const Options& options() const { return options_; }
  const std::string& path() const { return path_; }
  // Beside the database.
  std::string Beside(const std::string& name) const {
    return directory_.path() + "/" + name;
  }

  std::map<std::string, const Snapshot*>& snapshots() {
    return now_->snapshots;
  }
  ScriptIterator& iterator() { return iterator_; }
  std::map<std::string, std::string>& kept_files() { return kept_files_; }

  // Notes which files there are, for their names in answers.
  void NoteFiles();
  // Where "log2" is, or "log" (the newest), "table1", "blob1", "manifest",
  // "options", "current", or a file beside them.
  std::string FileAt(const std::string& name) const;
  // "log2", for a path or a name.
  std::string NameOf(const std::string& file) const;
  // Without what varies: paths, numbers of files, times.
  std::string Told(std::string text) const;

 private:
  struct Instance {
    std::unique_ptr<DB> db;
    std::map<std::string, ColumnFamilyHandle*> handles;
    std::map<std::string, const Snapshot*> snapshots;
  };

  Status OpenAs(const std::string& kind, bool refuses_logs,
                const std::vector<ColumnFamilyDescriptor>& families,
                std::vector<ColumnFamilyHandle*>* handles);
  void CloseInstance(Instance* instance);

  TempDir directory_{"script"};
  std::string path_;
  Options options_;
  std::vector<std::string> families_{kDefaultColumnFamilyName};
  std::map<std::string, ColumnFamilyOptions> own_options_;
  Instance main_, reader_;
  Instance* now_ = &main_;
  ScriptIterator iterator_;
  std::map<std::string, std::string> kept_files_;  // bytes by path
  std::map<std::string, std::string> names_;       // "log2" by "000007.log"
};

// A status that a command answers: nothing if it is OK.
std::string AnswerOf(const ScriptLine& line, const Status& s);

// "a,b" or "" for none.
std::vector<std::string> ListOf(const std::string& text);

}  // namespace ROCKSDB_NAMESPACE
