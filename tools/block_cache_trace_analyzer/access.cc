#include "tools/block_cache_trace_analyzer/access.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "monitoring/trace/block_cache_trace_format.h"
#include "tools/common/access_trace.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

constexpr const char* kBlockTypes[] = {"Index", "Filter", "Data",
                                       "UncompressionDict", "RangeDeletion"};
// From 1 on.
constexpr const char* kCallers[] = {"Get",
                                    "MultiGet",
                                    "Iterator",
                                    "ApproximateSize",
                                    "VerifyChecksum",
                                    "SSTDumpTool",
                                    "ExternalSSTIngestion",
                                    "Repair",
                                    "Prefetch",
                                    "Compaction",
                                    "CompactionRefill",
                                    "Flush",
                                    "SSTFileReader",
                                    "Uncategorized"};
constexpr const char* kLabelParts[] = {"block", "cf",     "sst", "level",
                                       "bt",    "caller", "all"};

std::vector<std::string> PartsOf(const std::string& label) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= label.size();) {
    const size_t end = std::min(label.find('_', begin), label.size());
    parts.push_back(label.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Status ReadText(const std::string& path,
                std::vector<BlockAccessText>* accesses) {
  std::ifstream file(path);
  if (!file) return Status::IOError(path, "cannot be read");
  for (std::string line; std::getline(file, line);) {
    const Status s =
        ROCKSDB_NAMESPACE::ParseBlockAccess(line, &accesses->emplace_back());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace

const char* NameOfBlockType(TraceType type) {
  return kBlockTypes[type - ROCKSDB_NAMESPACE::kBlockTraceIndexBlock];
}

const char* NameOfCaller(TableReaderCaller caller) {
  return kCallers[caller - ROCKSDB_NAMESPACE::kUserGet];
}

bool IsCallerName(const std::string& name) {
  return std::find(std::begin(kCallers), std::end(kCallers), name) !=
         std::end(kCallers);
}

bool IsUserAccess(const BlockAccessText& access) {
  return access.caller >= ROCKSDB_NAMESPACE::kUserGet &&
         access.caller <= ROCKSDB_NAMESPACE::kUserVerifyChecksum;
}

Status ReadAccesses(const std::string& path, bool is_text,
                    std::vector<BlockAccessText>* accesses) {
  if (is_text) return ReadText(path, accesses);
  AccessTrace trace;
  Status s = trace.Open(path);
  if (!s.ok()) return s;
  ROCKSDB_NAMESPACE::BlockAccessNumbers numbers;
  for (;;) {
    ROCKSDB_NAMESPACE::TraceRecordParts parts;
    s = trace.Next(&parts);
    // A trace whose process died may end within a record.
    if (s.IsIncomplete() || s.IsCorruption()) return Status::OK();
    ROCKSDB_NAMESPACE::BlockCacheTraceRecord record;
    if (s.ok()) s = ROCKSDB_NAMESPACE::DecodeBlockAccess(parts, &record);
    if (!s.ok()) return s;
    accesses->push_back(numbers.Number(record));
  }
}

Status WriteAccesses(const std::vector<BlockAccessText>& accesses,
                     const std::string& path) {
  std::ofstream file(path);
  for (const BlockAccessText& access : accesses) {
    file << ROCKSDB_NAMESPACE::BlockAccessLine(access) << '\n';
  }
  file.close();
  return file ? Status::OK() : Status::IOError(path, "cannot be written");
}

TimeSpan SpanOf(const std::vector<BlockAccessText>& accesses) {
  if (accesses.empty()) return {};
  const auto [first, last] = std::minmax_element(
      accesses.begin(), accesses.end(),
      [](const BlockAccessText& a, const BlockAccessText& b) {
        return a.time_micros < b.time_micros;
      });
  return {.first_micros = first->time_micros, .last_micros = last->time_micros};
}

Grouping::Grouping(const std::string& label)
    : label_(label), parts_(PartsOf(label)) {}

bool Grouping::IsLabel(const std::string& label) {
  const std::vector<std::string> parts = PartsOf(label);
  return std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
    return std::find(std::begin(kLabelParts), std::end(kLabelParts), part) !=
           std::end(kLabelParts);
  });
}

std::string Grouping::GroupOf(const BlockAccessText& access) const {
  std::string group;
  for (const std::string& part : parts_) {
    if (!group.empty()) group += '-';
    if (part == "block") {
      group += std::to_string(access.block);
    } else if (part == "cf") {
      group += access.family_name;
    } else if (part == "sst") {
      group += std::to_string(access.file);
    } else if (part == "level") {
      group += std::to_string(access.level);
    } else if (part == "bt") {
      group += NameOfBlockType(access.type);
    } else if (part == "caller") {
      group += NameOfCaller(access.caller);
    } else {
      group += "all";
    }
  }
  return group;
}

}  // namespace tools
