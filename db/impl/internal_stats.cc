#include "db/impl/internal_stats.h"

#include <algorithm>
#include <cstdio>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr double kMiB = 1048576.0;
constexpr double kGiB = kMiB * 1024.0;

const char* CauseName(WriteStallCause cause) {
  switch (cause) {
    case WriteStallCause::kMemtableLimit:
      return "memtable-limit";
    case WriteStallCause::kL0FileCountLimit:
      return "l0-file-count-limit";
    case WriteStallCause::kPendingCompactionBytes:
      return "pending-compaction-bytes";
    default:
      return "other";
  }
}

void Add(LevelWork* sum, const LevelWork& work) {
  INVARIANT(sum != nullptr);
  INVARIANT(sum != &work);
  sum->micros += work.micros;
  sum->cpu_micros += work.cpu_micros;
  sum->bytes_read_upper += work.bytes_read_upper;
  sum->bytes_read_output += work.bytes_read_output;
  sum->bytes_written += work.bytes_written;
  sum->bytes_moved += work.bytes_moved;
  sum->blob_bytes_read += work.blob_bytes_read;
  sum->blob_bytes_written += work.blob_bytes_written;
  sum->files_read_upper += work.files_read_upper;
  sum->files_read_output += work.files_read_output;
  sum->files_written += work.files_written;
  sum->records_in += work.records_in;
  sum->records_dropped += work.records_dropped;
  sum->count += work.count;
}

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string LevelRow(const std::string& name, size_t files, uint64_t bytes,
                     double score, const LevelWork& w) {
  const double seconds = static_cast<double>(w.micros) / 1e6;
  const uint64_t read = w.bytes_read_upper + w.bytes_read_output;
  const double amplification = Ratio(static_cast<double>(w.bytes_written),
                                     static_cast<double>(w.bytes_read_upper));
  return StringPrintf(
      "%4s %6zu %11.2f %6.1f %9.2f %9.2f %9.2f %6.1f %9.1f %9.1f %9.2f "
      "%13.2f %9d %10llu %10llu\n",
      name.c_str(), files, static_cast<double>(bytes) / kMiB, score,
      static_cast<double>(read) / kGiB,
      static_cast<double>(w.bytes_written) / kGiB,
      static_cast<double>(w.bytes_moved) / kGiB, amplification,
      Ratio(static_cast<double>(read) / kMiB, seconds),
      Ratio(static_cast<double>(w.bytes_written) / kMiB, seconds), seconds,
      static_cast<double>(w.cpu_micros) / 1e6, w.count,
      static_cast<unsigned long long>(w.records_in),
      static_cast<unsigned long long>(w.records_dropped));
}

}  // namespace

void FamilyStats::AddCompaction(int output_level, const LevelWork& work) {
  INVARIANT(output_level >= 0);
  INVARIANT(static_cast<size_t>(output_level) < levels_.size());
  Add(&levels_[output_level], work);
}

void FamilyStats::AddFlush(uint64_t bytes, uint64_t micros) {
  INVARIANT(!levels_.empty());
  LevelWork work;
  work.bytes_written = bytes;
  work.micros = micros;
  work.files_written = 1;
  work.count = 1;
  Add(&levels_.front(), work);
  flushed_bytes_ += bytes;
}

void FamilyStats::AddStall(WriteStallCause cause,
                           WriteStallCondition condition) {
  INVARIANT(condition != WriteStallCondition::kNormal);
  INVARIANT(cause != WriteStallCause::kNone);
  const bool is_stop = condition == WriteStallCondition::kStopped;
  ++(is_stop ? stopped_count_ : delayed_count_);
  ++by_cause_[cause][is_stop ? 1 : 0];
}

void FamilyStats::Reset() {
  std::fill(levels_.begin(), levels_.end(), LevelWork());
  flushed_bytes_ = stopped_count_ = delayed_count_ = 0;
  by_cause_.clear();
}

std::string FamilyStats::LevelTable(const std::string& family,
                                    const VersionStorage& storage) const {
  INVARIANT(static_cast<size_t>(storage.level_count()) <= levels_.size());
  std::string text = "\n** Compaction Stats [" + family + "] **\n";
  text +=
      "Level  Files    Size(MB)  Score  Read(GB) Write(GB) Moved(GB)  W-Amp "
      "Rd(MB/s) Wr(MB/s) Comp(sec) CompMergeCPU(sec) Comp(cnt)      KeyIn    "
      "KeyDrop\n";
  text += std::string(150, '-') + "\n";
  LevelWork sum;
  for (int level = 0; level < storage.level_count(); ++level) {
    const LevelWork& work = levels_[level];
    if (storage.FileCount(level) == 0 && work.count == 0) continue;
    double score = 0;
    for (const auto& entry : storage.scores()) {
      if (entry.level == level) score = entry.score;
    }
    text += LevelRow("L" + std::to_string(level), storage.FileCount(level),
                     storage.LevelBytes(level), score, work);
    Add(&sum, work);
  }
  text += LevelRow("Sum", storage.FileCount(), storage.TotalBytes(), 0, sum);
  text += StringPrintf("Flush(GB): cumulative %.3f\n",
                       static_cast<double>(flushed_bytes_) / kGiB);
  const double written = static_cast<double>(sum.bytes_written);
  text += StringPrintf("Write amplification: %.2f\n",
                       Ratio(written, static_cast<double>(flushed_bytes_)));
  return text;
}

std::string FamilyStats::StallText() const {
  std::string text = "Write Stall (count): ";
  for (const auto& [name, count] : StallMap())
    text += name + ": " + count + ", ";
  return text + "\n";
}

std::map<std::string, std::string> FamilyStats::Map(
    const VersionStorage& storage) const {
  INVARIANT(static_cast<size_t>(storage.level_count()) <= levels_.size());
  std::map<std::string, std::string> map;
  for (int level = 0; level < storage.level_count(); ++level) {
    const LevelWork& work = levels_[level];
    const std::string prefix = "compaction.L" + std::to_string(level) + ".";
    map[prefix + "NumFiles"] = std::to_string(storage.FileCount(level));
    map[prefix + "SizeBytes"] = std::to_string(storage.LevelBytes(level));
    map[prefix + "ReadGB"] = std::to_string(
        static_cast<double>(work.bytes_read_upper + work.bytes_read_output) /
        kGiB);
    map[prefix + "WriteGB"] =
        std::to_string(static_cast<double>(work.bytes_written) / kGiB);
    map[prefix + "MovedGB"] =
        std::to_string(static_cast<double>(work.bytes_moved) / kGiB);
    map[prefix + "CompSec"] =
        std::to_string(static_cast<double>(work.micros) / 1e6);
    map[prefix + "RblobGB"] =
        std::to_string(static_cast<double>(work.blob_bytes_read) / kGiB);
    map[prefix + "WblobGB"] =
        std::to_string(static_cast<double>(work.blob_bytes_written) / kGiB);
    map[prefix + "CompCount"] = std::to_string(work.count);
    map[prefix + "KeyIn"] = std::to_string(work.records_in);
    map[prefix + "KeyDrop"] = std::to_string(work.records_dropped);
  }
  for (const auto& entry : StallMap()) map.insert(entry);
  return map;
}

std::map<std::string, std::string> FamilyStats::StallMap() const {
  std::map<std::string, std::string> map;
  for (const WriteStallCause cause :
       {WriteStallCause::kMemtableLimit, WriteStallCause::kL0FileCountLimit,
        WriteStallCause::kPendingCompactionBytes}) {
    const auto found = by_cause_.find(cause);
    const std::array<uint64_t, 2> counts =
        found == by_cause_.end() ? std::array<uint64_t, 2>{} : found->second;
    map[std::string(CauseName(cause)) + "-delays"] = std::to_string(counts[0]);
    map[std::string(CauseName(cause)) + "-stops"] = std::to_string(counts[1]);
  }
  map["total-delays"] = std::to_string(delayed_count_);
  map["total-stops"] = std::to_string(stopped_count_);
  return map;
}

std::string LevelStatsText(const VersionStorage& storage) {
  std::string text = "Level Files Size(MB)\n--------------------\n";
  for (int level = 0; level < storage.level_count(); ++level) {
    text += StringPrintf("%3d %8zu %8.0f\n", level, storage.FileCount(level),
                         static_cast<double>(storage.LevelBytes(level)) / kMiB);
  }
  return text;
}

std::string BlobStatsText(const VersionStorage& storage) {
  const uint64_t total = storage.BlobBytes();
  const uint64_t garbage = storage.BlobGarbageBytes();
  INVARIANT(garbage <= total);
  const double amplification =
      total == garbage
          ? 0.0
          : static_cast<double>(total) / static_cast<double>(total - garbage);
  char text[200];
  snprintf(text, sizeof(text),
           "Number of blob files: %zu\nTotal size of blob files: %llu\n"
           "Total size of garbage in blob files: %llu\n"
           "Blob file space amplification: %.2f\n",
           storage.blobs().size(), static_cast<unsigned long long>(total),
           static_cast<unsigned long long>(garbage), amplification);
  return text;
}

std::string TablesText(const VersionStorage& storage) {
  std::string text;
  for (int level = 0; level < storage.level_count(); ++level) {
    text += "--- level " + std::to_string(level) + " ---\n";
    for (const FileRef& file : storage.files(level)) {
      text +=
          StringPrintf(" %llu:%llu[%llu .. %llu]['%s' .. '%s']\n",
                       static_cast<unsigned long long>(file->number),
                       static_cast<unsigned long long>(file->size_bytes),
                       static_cast<unsigned long long>(file->smallest_sequence),
                       static_cast<unsigned long long>(file->largest_sequence),
                       file->smallest.user_key().ToString(true).c_str(),
                       file->largest.user_key().ToString(true).c_str());
    }
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
