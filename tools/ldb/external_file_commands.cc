// Commands about table files outside the database: write_extern_sst,
// ingest_extern_sst.

#include <cstdio>
#include <iostream>

#include "rocksdb/db.h"
#include "rocksdb/sst_file_writer.h"
#include "tools/ldb/command.h"
#include "tools/ldb/pair_lines.h"
#include "tools/ldb/progress.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class WriteTableCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    create_if_missing_ =
        ParseBooleanOption(option_map_, ARG_CREATE_IF_MISSING, false);
    if (words().size() != 1) Fail("output SST file path must be specified");
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    ColumnFamilyHandle* const family = GetCfHandle();
    SstFileWriter writer(EnvOptions(), db_->GetOptions(family), family);
    Status s = writer.Open(words()[0]);
    if (!s.ok()) return Fail("failed to open SST file", s);
    Progress progress;
    uint64_t bad_lines = 0;
    std::string key;
    std::string value;
    for (std::string line; std::getline(std::cin, line, '\n');) {
      if (ParseKeyValue(line, &key, &value, is_key_hex_, is_value_hex_)) {
        s = writer.Put(key, value);
        if (!s.ok()) return Fail("failed to write record to file", s);
        progress.Count("entries written");
      } else if (exec_state_.IsFailed()) {
        return;
      } else if (!IsOtherOutput(line)) {
        ++bad_lines;
      }
    }
    progress.Clear();
    if (bad_lines > 0) {
      std::fprintf(stderr, "%s\n", BadLinesText(bad_lines).c_str());
    }
    s = writer.Finish();
    if (!s.ok()) return Fail("Failed to finish writing to file", s);
    Succeed("external SST file written to " + words()[0]);
  }
};

class IngestTableCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    create_if_missing_ =
        ParseBooleanOption(option_map_, ARG_CREATE_IF_MISSING, false);
    const auto flag = [this](const char* name, bool default_value) {
      return ParseBooleanOption(option_map_, name, default_value);
    };
    ingestion_.move_files = flag("move_files", false);
    ingestion_.snapshot_consistency = flag("snapshot_consistency", true);
    ingestion_.allow_global_seqno = flag("allow_global_seqno", true);
    ingestion_.allow_blocking_flush = flag("allow_blocking_flush", true);
    ingestion_.ingest_behind = flag("ingest_behind", false);
    ingestion_.write_global_seqno = flag("write_global_seqno", true);
    if (exec_state_.IsFailed()) return;
    if (words().size() != 1) return Fail("input SST path must be specified");
    if (!ingestion_.allow_global_seqno && ingestion_.write_global_seqno) {
      return Fail(
          "ldb cannot write global_seqno to the ingested SST when "
          "global_seqno is not allowed");
    }
  }
  void DoCommand() override {
    if (db_ == nullptr) return;
    if (ingestion_.allow_global_seqno && !ingestion_.write_global_seqno) {
      std::fprintf(stderr,
                   "Warning: not writing global_seqno to the ingested SST can\n"
                   "prevent older versions of RocksDB from being able to open "
                   "it\n");
    }
    Status s;
    {
      const ProgressBeside progress("taking the file in");
      s = db_->IngestExternalFile(GetCfHandle(), {words()[0]}, ingestion_);
    }
    if (!s.ok()) return Fail("failed to ingest external SST", s);
    Succeed("external SST files ingested");
  }

 private:
  IngestExternalFileOptions ingestion_;
};

}  // namespace

const std::vector<CommandRow>& ExternalFileCommands() {
  static const std::vector<CommandRow> kRows = {
      {"write_extern_sst",
       Opens::kForWriting,
       "<output file> [--create_if_missing] [--hex] [--key_hex] [--value_hex]",
       "Writes the pairs that standard input gives as ascending lines '<key> "
       "==> <value>' to a table file, with the options of the database.",
       {"hex", "key_hex", "value_hex", "from", "to", "create_if_missing"},
       &MakeCommand<WriteTableCommand>},
      {"ingest_extern_sst",
       Opens::kForWriting,
       "<input file> [--create_if_missing] [--move_files] "
       "[--snapshot_consistency=<bool>] [--allow_global_seqno=<bool>] "
       "[--allow_blocking_flush=<bool>] [--ingest_behind] "
       "[--write_global_seqno=<bool>]",
       "Adds a table file to the database.",
       {"move_files", "snapshot_consistency", "allow_global_seqno",
        "allow_blocking_flush", "ingest_behind", "write_global_seqno",
        "create_if_missing"},
       &MakeCommand<IngestTableCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
