#include "tools/block_cache_trace_analyzer/result_tables.h"

#include "tools/block_cache_trace_analyzer/access.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

Status WriteTable(const std::string& path,
                  const std::function<void(std::ofstream&)>& fill) {
  std::ofstream file(path);
  if (file) fill(file);
  file.close();
  return file ? Status::OK() : Status::IOError(path, "cannot be written");
}

Status WriteShares(const std::string& path, const Buckets& buckets,
                   const Columns& columns) {
  return WriteTable(path, [&](std::ofstream& out) {
    out << "bucket";
    std::map<std::string, uint64_t> sums;
    for (const auto& [name, rows] : columns) {
      out << ',' << name;
      for (const auto& [row, count] : rows) sums[name] += count;
    }
    out << '\n';
    std::vector<uint64_t> rows;
    buckets.AddNames(&rows);
    for (const uint64_t row : rows) {
      out << row;
      for (const auto& [name, counts] : columns) {
        const auto found = counts.find(row);
        out << ','
            << std::to_string(PercentOf(
                   found == counts.end() ? 0 : found->second, sums[name]));
      }
      out << '\n';
    }
  });
}

}  // namespace tools
