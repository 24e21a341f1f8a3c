#include "db/registry/family_stats.h"

#include <algorithm>
#include <cstdio>

#include "db/registry/write_stall.h"
#include "rocksdb/write_stall_stats.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr double kBytesPerMiB = 1048576.0;
constexpr double kGiB = kBytesPerMiB * 1024.0;

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
  sum->bytes_before_compression += work.bytes_before_compression;
  sum->files_read_upper += work.files_read_upper;
  sum->files_read_output += work.files_read_output;
  sum->files_written += work.files_written;
  sum->records_in += work.records_in;
  sum->records_dropped += work.records_dropped;
  sum->count += work.count;
}

// What has come since; nothing where it was reset meanwhile.
uint64_t Since(uint64_t before, uint64_t now) {
  return now - std::min(before, now);
}

LevelWork Since(const LevelWork& before, const LevelWork& now) {
  LevelWork work;
  for (uint64_t LevelWork::*field :
       {&LevelWork::micros, &LevelWork::cpu_micros,
        &LevelWork::bytes_read_upper, &LevelWork::bytes_read_output,
        &LevelWork::bytes_written, &LevelWork::bytes_moved,
        &LevelWork::blob_bytes_read, &LevelWork::blob_bytes_written,
        &LevelWork::bytes_before_compression, &LevelWork::records_in,
        &LevelWork::records_dropped}) {
    work.*field = Since(before.*field, now.*field);
  }
  work.count = now.count - std::min(before.count, now.count);
  return work;
}

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }
double Gib(uint64_t bytes) { return static_cast<double>(bytes) / kGiB; }
double Mib(uint64_t bytes) { return static_cast<double>(bytes) / kBytesPerMiB; }
double SecondsOf(uint64_t micros) { return static_cast<double>(micros) / 1e6; }

// A level as a row sees it.
struct Row {
  size_t files = 0;
  size_t busy_files = 0;  // inputs of running compactions
  uint64_t bytes = 0;
  double score = 0;
  LevelWork work;
  // What came from above, in the widest sense: memtables, for level 0.
  uint64_t brought_bytes = 0;

  uint64_t ReadBytes() const {
    return work.bytes_read_upper + work.bytes_read_output;
  }
};

// What the table of levels shows, and under which name the map has it.
struct Column {
  const char* title;
  const char* key;
  int width;
  int decimals;  // -1: a count that is shortened, as in 12K
  double (*value)(const Row& row);
};

constexpr Column kColumns[] = {
    {"Score", "Score", 5, 1, [](const Row& r) { return r.score; }},
    {"Read(GB)", "ReadGB", 8, 1,
     [](const Row& r) { return Gib(r.ReadBytes()); }},
    {" Rn(GB)", "RnGB", 7, 1,
     [](const Row& r) { return Gib(r.work.bytes_read_upper); }},
    {"Rnp1(GB)", "Rnp1GB", 8, 1,
     [](const Row& r) { return Gib(r.work.bytes_read_output); }},
    {"Write(GB)", "WriteGB", 9, 1,
     [](const Row& r) { return Gib(r.work.bytes_written); }},
    {"WPreComp(GB)", "WPreCompGB", 9, 1,
     [](const Row& r) { return Gib(r.work.bytes_before_compression); }},
    {"Wnew(GB)", "WnewGB", 8, 1,
     [](const Row& r) {
       return Gib(r.work.bytes_written) - Gib(r.work.bytes_read_output);
     }},
    {"Moved(GB)", "MovedGB", 9, 1,
     [](const Row& r) { return Gib(r.work.bytes_moved); }},
    {"W-Amp", "WriteAmp", 5, 1,
     [](const Row& r) {
       return Ratio(static_cast<double>(r.work.bytes_written),
                    static_cast<double>(r.brought_bytes));
     }},
    {"Rd(MB/s)", "ReadMBps", 8, 1,
     [](const Row& r) {
       return Ratio(Mib(r.ReadBytes()), SecondsOf(r.work.micros));
     }},
    {"Wr(MB/s)", "WriteMBps", 8, 1,
     [](const Row& r) {
       return Ratio(Mib(r.work.bytes_written), SecondsOf(r.work.micros));
     }},
    {"Comp(sec)", "CompSec", 9, 2,
     [](const Row& r) { return SecondsOf(r.work.micros); }},
    {"CompMergeCPU(sec)", "CompMergeCPU", 17, 2,
     [](const Row& r) { return SecondsOf(r.work.cpu_micros); }},
    {"Comp(cnt)", "CompCount", 9, 0,
     [](const Row& r) { return static_cast<double>(r.work.count); }},
    {"Avg(sec)", "AvgSec", 8, 3,
     [](const Row& r) {
       return Ratio(SecondsOf(r.work.micros),
                    static_cast<double>(r.work.count));
     }},
    {"KeyIn", "KeyIn", 7, -1,
     [](const Row& r) { return static_cast<double>(r.work.records_in); }},
    {"KeyDrop", "KeyDrop", 6, -1,
     [](const Row& r) { return static_cast<double>(r.work.records_dropped); }},
    {"Rblob(GB)", "RblobGB", 9, 1,
     [](const Row& r) { return Gib(r.work.blob_bytes_read); }},
    {"Wblob(GB)", "WblobGB", 9, 1,
     [](const Row& r) { return Gib(r.work.blob_bytes_written); }},
};

// Titles follow each other as RocksDB has them, not as wide as their columns.
std::string Heading(const std::string& rows) {
  std::string text = rows + "    Files   Size    ";
  for (const Column& column : kColumns) {
    text += std::string(" ") + column.title;
  }
  return text + "\n" + std::string(text.size() + 1, '-') + "\n";
}

std::string RowText(const std::string& name, const Row& row) {
  std::string text =
      StringPrintf("%4s %6zu/%-3zu %10s", name.c_str(), row.files,
                   row.busy_files, BytesToHumanString(row.bytes).c_str());
  for (const Column& column : kColumns) {
    const double value = column.value(row);
    text += column.decimals < 0
                ? StringPrintf(
                      " %*s", column.width,
                      NumberToHumanString(static_cast<int64_t>(value)).c_str())
                : StringPrintf(" %*.*f", column.width, column.decimals, value);
  }
  return text + "\n";
}

void AddToMap(const std::string& name, const Row& row,
              std::map<std::string, std::string>* map) {
  INVARIANT(map != nullptr);
  const std::string prefix = "compaction." + name + ".";
  // Counts, too, have six decimals.
  const auto add = [&](const std::string& key, double number) {
    (*map)[prefix + key] = std::to_string(number);
  };
  add("NumFiles", static_cast<double>(row.files));
  add("CompactedFiles", static_cast<double>(row.busy_files));
  add("SizeBytes", static_cast<double>(row.bytes));
  for (const Column& column : kColumns) add(column.key, column.value(row));
}

Row LevelRow(const VersionStorage& storage, int level, const LevelWork& work,
             uint64_t flushed_bytes) {
  Row row;
  row.files = storage.FileCount(level);
  row.bytes = storage.LevelBytes(level);
  row.work = work;
  row.brought_bytes = level == 0 ? flushed_bytes : work.bytes_read_upper;
  for (const FileRef& file : storage.files(level)) {
    if (file->being_compacted) ++row.busy_files;
  }
  for (const auto& entry : storage.scores()) {
    if (entry.level == level) row.score = entry.score;
  }
  return row;
}

std::string CompactionLine(const char* what, const LevelWork& work,
                           double seconds) {
  const uint64_t read = work.bytes_read_upper + work.bytes_read_output;
  return StringPrintf(
      "%s compaction: %.2f GB write, %.2f MB/s write, %.2f GB read, %.2f MB/s "
      "read, %.1f seconds\n",
      what, Gib(work.bytes_written), Ratio(Mib(work.bytes_written), seconds),
      Gib(read), Ratio(Mib(read), seconds), SecondsOf(work.micros));
}

std::string IngestionLines(const IngestedWork& all,
                           const IngestedWork& interval) {
  std::string text =
      StringPrintf("AddFile(GB): cumulative %.3f, interval %.3f\n",
                   Gib(all.bytes), Gib(interval.bytes));
  const auto add = [&](const char* what, uint64_t count, uint64_t recent) {
    text += StringPrintf("AddFile(%s): cumulative %llu, interval %llu\n", what,
                         static_cast<unsigned long long>(count),
                         static_cast<unsigned long long>(recent));
  };
  add("Total Files", all.files, interval.files);
  add("L0 Files", all.level0_files, interval.level0_files);
  add("Keys", all.keys, interval.keys);
  return text;
}

double BlobAmplification(uint64_t total, uint64_t garbage) {
  INVARIANT(garbage <= total);
  return Ratio(static_cast<double>(total),
               static_cast<double>(total - garbage));
}

std::string BlobLine(const VersionStorage& storage) {
  const uint64_t total = storage.BlobBytes();
  const uint64_t garbage = storage.BlobGarbageBytes();
  return StringPrintf(
      "Blob file count: %zu, total size: %.1f GB, garbage size: %.1f GB, space "
      "amp: %.1f\n",
      storage.blobs().size(), Gib(total), Gib(garbage),
      BlobAmplification(total, garbage));
}

// "'k' seq:N, type:N", the key in hex.
std::string BoundText(const InternalKey& key) {
  return StringPrintf("'%s' seq:%llu, type:%d",
                      key.user_key().ToString(true).c_str(),
                      static_cast<unsigned long long>(key.sequence()),
                      static_cast<int>(key.type()));
}

// All levels together: what was brought are the flushes.
Row SumRow(const VersionStorage& storage, const std::vector<LevelWork>& levels,
           uint64_t flushed_bytes) {
  Row sum;
  sum.brought_bytes = flushed_bytes;
  for (int level = 0; level < storage.level_count(); ++level) {
    const Row row = LevelRow(storage, level, levels[level], flushed_bytes);
    sum.files += row.files;
    sum.busy_files += row.busy_files;
    sum.bytes += row.bytes;
    Add(&sum.work, row.work);
  }
  return sum;
}

}  // namespace

void FamilyStats::AddCompaction(int output_level, Env::Priority pool,
                                const LevelWork& work) {
  INVARIANT(output_level >= 0);
  INVARIANT(static_cast<size_t>(output_level) < levels_.size());
  Add(&levels_[output_level], work);
  if (work.count > 0) Add(&pools_[pool], work);
}

void FamilyStats::AddFlush(Env::Priority pool, const LevelWork& work) {
  INVARIANT(!levels_.empty());
  Add(&levels_.front(), work);
  Add(&pools_[pool], work);
  flushed_bytes_ += work.bytes_written;
}

void FamilyStats::AddIngested(const IngestedWork& work) {
  ingested_ = ingested_.Plus(work);
}

void FamilyStats::AddStall(WriteStallCause cause, WriteStallCondition condition,
                           bool compacts_level0) {
  INVARIANT(condition != WriteStallCondition::kNormal);
  INVARIANT(cause != WriteStallCause::kNone);
  const bool is_stop = condition == WriteStallCondition::kStopped;
  ++(is_stop ? stopped_count_ : delayed_count_);
  ++by_cause_[cause][is_stop ? 1 : 0];
  if (cause == WriteStallCause::kL0FileCountLimit && compacts_level0) {
    ++level0_while_compacting_[is_stop ? 1 : 0];
  }
}

void FamilyStats::Reset() {
  std::fill(levels_.begin(), levels_.end(), LevelWork());
  pools_.clear();
  flushed_bytes_ = stopped_count_ = delayed_count_ = 0;
  ingested_ = IngestedWork();
  by_cause_.clear();
  level0_while_compacting_ = {};
  start_ = Clock::now();
  told_ = Totals();
}

std::string FamilyStats::LevelTable(const std::string& family,
                                    const VersionStorage& storage) const {
  INVARIANT(static_cast<size_t>(storage.level_count()) <= levels_.size());
  std::string text =
      "\n** Compaction Stats [" + family + "] **\n" + Heading("Level");
  for (int level = 0; level < storage.level_count(); ++level) {
    const LevelWork& work = levels_[level];
    if (storage.FileCount(level) == 0 && work.count == 0) continue;
    text += RowText("L" + std::to_string(level),
                    LevelRow(storage, level, work, flushed_bytes_));
  }
  text += RowText("Sum", SumRow(storage, levels_, flushed_bytes_));
  Totals now;
  now.work = AllWork();
  now.flushed_bytes = flushed_bytes_;
  now.ingested = ingested_;
  Row interval;  // what was done since the last call, without files
  interval.work = Since(told_.work, now.work);
  interval.brought_bytes = Since(told_.flushed_bytes, now.flushed_bytes);
  text += RowText("Int", interval);
  text += PoolTable(family) + "\n" + BlobLine(storage) + "\n" + JobText(now);
  text += StringPrintf(
      "Estimated pending compaction bytes: %llu\n",
      static_cast<unsigned long long>(storage.PendingCompactionBytes()));
  told_ = now;
  return text;
}

std::string FamilyStats::PoolTable(const std::string& family) const {
  std::string text =
      "\n** Compaction Stats [" + family + "] **\n" + Heading("Priority");
  for (const auto& [pool, work] : pools_) {
    Row row;  // what was done, without files: these belong to no pool
    row.work = work;
    text += RowText(Env::PriorityToString(pool), row);
  }
  return text;
}

LevelWork FamilyStats::AllWork() const {
  LevelWork sum;
  for (const LevelWork& work : levels_) Add(&sum, work);
  return sum;
}

std::string FamilyStats::JobText(const Totals& now) const {
  const auto seconds = [&now](Clock::time_point from) {
    return std::chrono::duration<double>(now.at - from).count();
  };
  const double total = seconds(start_);
  const double interval = seconds(told_.at);
  const LevelWork recent = Since(told_.work, now.work);
  return StringPrintf("Uptime(secs): %.1f total, %.1f interval\n", total,
                      interval) +
         StringPrintf("Flush(GB): cumulative %.3f, interval %.3f\n",
                      Gib(now.flushed_bytes),
                      Gib(Since(told_.flushed_bytes, now.flushed_bytes))) +
         IngestionLines(now.ingested, now.ingested.Minus(told_.ingested)) +
         CompactionLine("Cumulative", now.work, total) +
         CompactionLine("Interval", recent, interval);
}

std::string FamilyStats::StallText() const {
  std::string text;
  for (const auto& [name, count] : StallMap()) {
    text += (text.empty() ? "" : ", ") + name + ": " + count;
  }
  return "Write Stall (count): " + text + "\n";
}

std::map<std::string, std::string> FamilyStats::Map(
    const VersionStorage& storage) const {
  INVARIANT(static_cast<size_t>(storage.level_count()) <= levels_.size());
  std::map<std::string, std::string> map;
  for (int level = 0; level < storage.level_count(); ++level) {
    AddToMap("L" + std::to_string(level),
             LevelRow(storage, level, levels_[level], flushed_bytes_), &map);
  }
  AddToMap("Sum", SumRow(storage, levels_, flushed_bytes_), &map);
  for (const auto& entry : StallMap()) map.insert(entry);
  return map;
}

std::map<std::string, std::string> FamilyStats::StallMap() const {
  using Keys = WriteStallStatsMapKeys;
  std::map<std::string, std::string> map;
  for (const WriteStallCause cause :
       {WriteStallCause::kMemtableLimit, WriteStallCause::kL0FileCountLimit,
        WriteStallCause::kPendingCompactionBytes}) {
    const auto found = by_cause_.find(cause);
    const std::array<uint64_t, 2> counts =
        found == by_cause_.end() ? std::array<uint64_t, 2>{} : found->second;
    map[Keys::CauseConditionCount(cause, WriteStallCondition::kDelayed)] =
        std::to_string(counts[0]);
    map[Keys::CauseConditionCount(cause, WriteStallCondition::kStopped)] =
        std::to_string(counts[1]);
  }
  map[Keys::CFL0FileCountLimitDelaysWithOngoingCompaction()] =
      std::to_string(level0_while_compacting_[0]);
  map[Keys::CFL0FileCountLimitStopsWithOngoingCompaction()] =
      std::to_string(level0_while_compacting_[1]);
  map[Keys::TotalDelays()] = std::to_string(delayed_count_);
  map[Keys::TotalStops()] = std::to_string(stopped_count_);
  return map;
}

std::string LevelStatsText(const VersionStorage& storage) {
  std::string text = "Level Files Size(MB)\n--------------------\n";
  for (int level = 0; level < storage.level_count(); ++level) {
    text += StringPrintf(
        "%3d %8zu %8.0f\n", level, storage.FileCount(level),
        static_cast<double>(storage.LevelBytes(level)) / kBytesPerMiB);
  }
  return text;
}

std::string BlobStatsText(const VersionStorage& storage) {
  const uint64_t total = storage.BlobBytes();
  const uint64_t garbage = storage.BlobGarbageBytes();
  char text[200];
  snprintf(text, sizeof(text),
           "Number of blob files: %zu\nTotal size of blob files: %llu\n"
           "Total size of garbage in blob files: %llu\n"
           "Blob file space amplification: %g\n",
           storage.blobs().size(), static_cast<unsigned long long>(total),
           static_cast<unsigned long long>(garbage),
           BlobAmplification(total, garbage));
  return text;
}

std::string TablesText(const VersionStorage& storage, uint64_t version) {
  std::string text;
  for (int level = 0; level < storage.level_count(); ++level) {
    text += "--- level " + std::to_string(level) + " --- version# " +
            std::to_string(version) + " ---\n";
    for (const FileRef& file : storage.files(level)) {
      text +=
          StringPrintf(" %llu:%llu[%llu .. %llu][",
                       static_cast<unsigned long long>(file->number),
                       static_cast<unsigned long long>(file->size_bytes),
                       static_cast<unsigned long long>(file->smallest_sequence),
                       static_cast<unsigned long long>(file->largest_sequence));
      text += BoundText(file->smallest) + " .. " + BoundText(file->largest) +
              "](" + std::to_string(file->sampled_reads.load()) + ")";
      if (file->oldest_blob_file != 0) {
        text += " blob_file:" + std::to_string(file->oldest_blob_file);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
