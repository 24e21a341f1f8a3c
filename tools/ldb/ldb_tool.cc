// Runs one command of a command line; usage and help texts.

#include "rocksdb/ldb_tool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rocksdb/utilities/ldb_cmd.h"
#include "rocksdb/version.h"
#include "tools/common/exit_status.h"
#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kHelpWidth = 80;

constexpr char kGlobalOptions[] =
    R"(Every command takes these, except create_column_family and
drop_column_family, which take --db alone:

  --db=<path>                 the directory of the database
  --column_family=<name>      the family to work on; default: default
  --try_load_options[=true|false]
                              take the database's OPTIONS file; the default,
                              but with --create_if_missing and with --ttl
  --ignore_unknown_options    skip what the OPTIONS file has and this tool lacks
  --disable_consistency_checks
  --env_uri=<uri> | --fs_uri=<uri>
                              the environment or the file system
  --load_library=<file>[,<file>...]
                              shared objects with your comparators and merge
                              operators (docs/tools/ldb.md)
  --comparator=<name> --merge_operator=<name>
                              those of the family, where OPTIONS does not tell
  --secondary_path=<dir>      open as a secondary instance that logs there
  --leader_path=<dir>         open --db as a follower of that database
  --use_txn                   open as a TransactionDB
  --txn_write_policy=0|1|2    committed, prepared, unprepared

Options that the database is opened with; commands that write keep them in its
OPTIONS file:

  --bloom_bits=<n> --block_size=<bytes> --uniform_cv_threshold=<fraction>
  --auto_compaction=true|false --write_buffer_size=<bytes> --file_size=<bytes>
  --fix_prefix_len=<n> --compression_max_dict_bytes=<bytes>
  --compression_type=no|snappy|zlib|bzip2|lz4|lz4hc|xpress|zstd
  --enable_blob_files --min_blob_size=<bytes> --blob_file_size=<bytes>
  --blob_compression_type=<as above> --blob_file_starting_level=<n>
  --enable_blob_garbage_collection
  --blob_garbage_collection_age_cutoff=<fraction>
  --blob_garbage_collection_force_threshold=<fraction>
  --blob_compaction_readahead_size=<bytes> --prepopulate_blob_cache=0|1

Keys and values are given and shown byte by byte; in hex, as 0x6B6579, with
--hex, --key_hex or --value_hex, where a command takes these.
)";

void PrintTo(FILE* stream, const std::string& text) {
  std::fputs(text.c_str(), stream);
}

// What was asked for by "ldb help <command>" or "ldb <command> --help".
const CommandRow* CommandToExplain(int argc, char const* const* argv) {
  if (argc < 3) return nullptr;
  if (std::string(argv[1]) == "help") return FindCommand(argv[2]);
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--help") return FindCommand(argv[1]);
  }
  return nullptr;
}

}  // namespace

LDBOptions::LDBOptions() = default;

std::string Wrapped(const std::string& text, size_t indent) {
  // What goes on stands further in, so that lines that begin can be told.
  const std::string margin(indent == 0 ? 0 : indent + 4, ' ');
  std::string lines;
  std::string line(indent, ' ');
  bool is_begun = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (is_begun && line.size() + 1 + word.size() > kHelpWidth) {
      lines += line + "\n";
      line = margin;
      is_begun = false;
    }
    if (is_begun) line += ' ';
    line += word;
    is_begun = true;
    begin = end + 1;
  }
  return lines + line + "\n";
}

std::string CommandHelp(const CommandRow& row) {
  std::string text = std::string("ldb ") + row.name;
  if (row.arguments[0] != '\0') text += std::string(" ") + row.arguments;
  text += "\n\n" + Wrapped(row.help, 0) + "\n";
  switch (row.opens) {
    case Opens::kForReading:
      return text + "Opens the database for reading: no file changes.\n";
    case Opens::kForWriting:
      return text + "Opens the database for writing, under its lock.\n";
    case Opens::kNothing:
      break;
  }
  return text + "Does not open the database as an engine would.\n";
}

void LDBCommandRunner::PrintHelp(const LDBOptions& ldb_options,
                                 const char* exec_name, bool to_stderr) {
  std::string text = ldb_options.print_help_header + "\n\n";
  text += std::string("Usage: ") + exec_name +
          " [options] <command> [parameters] [options]\n       " + exec_name +
          " help <command>\n\n" + kGlobalOptions + "\nCommands:\n\n";
  for (const CommandRow* row : AllCommands()) {
    text += Wrapped(std::string(row->name) + " " + row->arguments, 2);
  }
  PrintTo(to_stderr ? stderr : stdout, text);
}

int LDBCommandRunner::RunCommand(
    int argc, char const* const* argv, const Options& options,
    const LDBOptions& ldb_options,
    const std::vector<ColumnFamilyDescriptor>* column_families) {
  const char* const program = argc > 0 ? argv[0] : "ldb";
  if (argc <= 2) {
    const std::string word = argc == 2 ? argv[1] : "";
    if (word == "--version") {
      PrintTo(stdout, "ldb from RocksDB " + GetRocksVersionAsString() + "\n");
      return tools::ExitStatus(0);
    }
    PrintHelp(ldb_options, program, word != "--help");
    return tools::ExitStatus(word == "--help" ? 0 : 1);
  }
  if (const CommandRow* row = CommandToExplain(argc, argv)) {
    PrintTo(stdout, CommandHelp(*row));
    return tools::ExitStatus(0);
  }
  const std::unique_ptr<LDBCommand> command(LDBCommand::InitFromCmdLineArgs(
      argc, argv, options, ldb_options, column_families));
  if (command == nullptr) {
    PrintTo(stderr, "Unknown command\n");
    PrintHelp(ldb_options, program);
    return 1;
  }
  if (!command->ValidateCmdLineOptions()) return 1;
  command->Run();
  LDBCommandExecuteResult result = command->GetExecuteState();
  if (!result.IsFailed() && !tools::IsOutputWritten()) {
    result = LDBCommandExecuteResult::Failed(
        "IO error: standard output could not be written");
  }
  const auto* const own = dynamic_cast<const Command*>(command.get());
  const bool is_told = own != nullptr && own->is_failure_told();
  const std::string text = result.ToString();
  if (!text.empty() && !is_told) PrintTo(stderr, text + "\n");
  return result.IsFailed() ? 1 : 0;
}

int LDBTool::RunAndReturn(
    int argc, char** argv, const Options& db_options,
    const LDBOptions& ldb_options,
    const std::vector<ColumnFamilyDescriptor>* column_families) {
  return LDBCommandRunner::RunCommand(argc, argv, db_options, ldb_options,
                                      column_families);
}

void LDBTool::Run(int argc, char** argv, Options db_options,
                  const LDBOptions& ldb_options,
                  const std::vector<ColumnFamilyDescriptor>* column_families) {
  std::exit(RunAndReturn(argc, argv, db_options, ldb_options, column_families));
}

}  // namespace ROCKSDB_NAMESPACE
