// blob_dump: shows a blob file.
//
//   blob_dump --file=<blob file> [--show_key[=none|raw|hex|detail]]
//     [--show_blob[=...]] [--show_uncompressed_blob[=...]] [--show_summary]
//     [--json]
//
// Exit code 255 for what cannot be shown.

#include "tools/ldb/blob_dump.h"

#include <cstdio>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/version.h"
#include "tools/common/exit_status.h"

namespace {

using ROCKSDB_NAMESPACE::BlobDisplay;

constexpr int kFailure = 255;

constexpr char kUsage[] =
    R"(blob_dump --file=<blob file> [options]
    --show_key[=none|raw|hex|detail]                default: raw
    --show_blob[=none|raw|hex|detail]               default: none; alone: hex
    --show_uncompressed_blob[=none|raw|hex|detail]  default: none; alone: hex
    --show_summary
    --json                                          an object for each record
    --help, --version
)";

bool TakeDisplay(const std::string& word, BlobDisplay* display) {
  const struct {
    const char* word;
    BlobDisplay display;
  } kDisplays[] = {{"none", BlobDisplay::kNone},
                   {"raw", BlobDisplay::kPlain},
                   {"hex", BlobDisplay::kHex},
                   {"detail", BlobDisplay::kDetail},
                   {"", BlobDisplay::kHex}};
  for (const auto& row : kDisplays) {
    if (word != row.word) continue;
    *display = row.display;
    return true;
  }
  std::fprintf(stderr, "Unrecognized display type: %s\n", word.c_str());
  return false;
}

// False: a text has gone out.
bool TakeWord(const std::string& word, ROCKSDB_NAMESPACE::BlobDump* dump) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value =
      equals == std::string::npos ? "" : word.substr(equals + 1);
  if (name == "--file") {
    dump->path = value;
  } else if (name == "--show_key") {
    return TakeDisplay(value, &dump->keys);
  } else if (name == "--show_blob") {
    return TakeDisplay(value, &dump->blobs);
  } else if (name == "--show_uncompressed_blob") {
    return TakeDisplay(value, &dump->raw_blobs);
  } else if (name == "--show_summary") {
    dump->has_summary = true;
  } else if (name == "--json") {
    dump->as_json = true;
  } else {
    std::fprintf(stderr, "Unrecognized option: %s\n", word.c_str());
    return false;
  }
  return true;
}

int Run(int argc, char** argv) {
  ROCKSDB_NAMESPACE::BlobDump dump;
  dump.env = ROCKSDB_NAMESPACE::Env::Default();
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (std::string(argv[i]) == "--version") {
      std::printf("blob_dump version %s\n",
                  ROCKSDB_NAMESPACE::GetRocksVersionAsString().c_str());
      return 0;
    }
    std::string word = argv[i];
    // The file may be the next word, as for any program of getopt's.
    if (word == "--file" && i + 1 < argc) word += std::string("=") + argv[++i];
    if (!TakeWord(word, &dump)) return kFailure;
  }
  if (dump.path.empty()) {
    std::fprintf(stderr, "--file must be given\n");
    return kFailure;
  }
  const ROCKSDB_NAMESPACE::Status s = ROCKSDB_NAMESPACE::DumpBlobFile(dump);
  if (s.ok()) return 0;
  std::fprintf(stderr, "Failed: %s\n", s.ToString().c_str());
  return kFailure;
}

}  // namespace

int main(int argc, char** argv) {
  return tools::ExitStatus(Run(argc, argv), kFailure);
}
