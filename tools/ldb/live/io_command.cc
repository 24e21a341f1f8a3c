// ldb io: what the page cache holds of a database's files, level by level, and
// what the process that has it open does with them, from outside.

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include "tools/ldb/command.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/json.h"
#include "tools/ldb/live/process_io.h"
#include "tools/ldb/live/resident_files.h"
#include "tools/ldb/live/screen.h"
#include "tools/ldb/live/top_command.h"
#include "tools/ldb/lock_owner.h"

namespace ROCKSDB_NAMESPACE {

namespace {

double Megabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

double PercentOfSize(uint64_t bytes, uint64_t size) {
  return size == 0
             ? 0
             : 100.0 * static_cast<double>(bytes) / static_cast<double>(size);
}

// Files of one kind, family and level.
struct IoRow {
  uint64_t file_count = 0;
  uint64_t size_bytes = 0;
  uint64_t cached_bytes = 0;
  uint64_t dirty_bytes = 0;
  uint64_t lately_gone_bytes = 0;
  OpenCounts open;

  uint64_t heat_bytes() const { return cached_bytes + lately_gone_bytes; }
};

using IoRowKey = std::tuple<ResidentKind, std::string, int>;

std::string NameOf(const IoRowKey& key) {
  switch (std::get<0>(key)) {
    case ResidentKind::kTable:
      return "L" + std::to_string(std::get<2>(key));
    case ResidentKind::kBlobFile:
      return "blobs";
    case ResidentKind::kLog:
      return "logs";
  }
  return "";
}

// One look.
struct IoView {
  int process = 0;
  std::map<IoRowKey, IoRow> rows;
  std::optional<ProcessIo> io;
  std::optional<Refaults> refaults;
};

class IoCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    IntOption("interval", &interval_seconds_);
    IntOption("count", &count_);
    if (!exec_state_.IsFailed() && interval_seconds_ < 1) {
      Fail("interval must be 1 second or more");
    }
    if (!exec_state_.IsFailed() && count_ < 0) Fail("count must be >= 0");
  }

  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    std::optional<IoView> before;
    for (int i = 0; count_ == 0 || i < count_; ++i) {
      if (i > 0) {
        std::this_thread::sleep_for(std::chrono::seconds(interval_seconds_));
      }
      IoView view;
      const Status s = Look(&view);
      if (!s.ok()) return Fail(s.ToString());
      if (wants_json()) {
        ShowJson(view);
      } else {
        Show(view, before);
      }
      if (!FlushScreen()) return;
      before = std::move(view);
    }
  }

 private:
  Status Look(IoView* view) {
    std::error_code error;
    std::string home = std::filesystem::canonical(db_path_, error);
    if (error) home = db_path_;
    ResidencyRequest request(home, options_, column_families_);
    if (options_.wal_dir == db_path_) request.wal_dir = home;
    std::vector<ResidentFile> files;
    const Status s = FindResidentFiles(request, &files);
    if (!s.ok()) return s;
    view->process = OwnerOfLock(db_path_);
    std::map<std::string, OpenCounts> open;
    if (view->process != 0) {
      open = OpenFilesOf(view->process, home);
      view->io = IoOf(view->process);
    }
    view->refaults = RefaultsOf(view->process);
    for (const ResidentFile& file : files) {
      IoRow& row = view->rows[{file.kind, file.family, file.level}];
      ++row.file_count;
      row.size_bytes += file.size_bytes;
      row.cached_bytes += file.cached_bytes;
      row.dirty_bytes += file.dirty_bytes;
      row.lately_gone_bytes += file.lately_gone_bytes;
      const auto found = open.find(file.path);
      if (found == open.end()) continue;
      row.open.buffered += found->second.buffered;
      row.open.direct += found->second.direct;
    }
    return s;
  }

  static void ShowJson(const IoView& view) {
    JsonArray rows;
    for (const auto& [key, row] : view.rows) {
      JsonObject object;
      object.Add("part", NameOf(key))
          .Add("column_family", std::get<1>(key))
          .Add("files", row.file_count)
          .Add("bytes", row.size_bytes)
          .Add("cached_bytes", row.cached_bytes)
          .Add("dirty_bytes", row.dirty_bytes)
          .Add("lately_gone_bytes", row.lately_gone_bytes)
          .Add("open_buffered", row.open.buffered)
          .Add("open_direct", row.open.direct);
      rows.Add(object.Text());
    }
    JsonObject object;
    object.Add("process", static_cast<uint64_t>(view.process));
    if (view.io.has_value()) {
      object.Add("device_read_bytes", view.io->device_read_bytes)
          .Add("device_written_bytes", view.io->device_written_bytes)
          .Add("call_read_bytes", view.io->call_read_bytes);
    }
    if (view.refaults.has_value()) {
      object.Add("refaulted_pages", view.refaults->pages)
          .AddRaw("refaults_are_of_group",
                  view.refaults->is_of_group ? "true" : "false");
    }
    PrintLine(object.AddRaw("rows", rows.Text()).Text());
  }

  void Show(const IoView& view, const std::optional<IoView>& before) const {
    BeginScreen();
    ShowHead(view, before);
    PrintLine(
        "part  family           files         MB  cached MB cached%  heat%  "
        "dirty MB     +-MB  opens direct");
    IoRow all;
    uint64_t all_before = 0;
    for (const auto& [key, row] : view.rows) {
      std::optional<uint64_t> was;
      if (before.has_value()) {
        const auto found = before->rows.find(key);
        was = found == before->rows.end() ? 0 : found->second.cached_bytes;
        all_before += *was;
      }
      ShowRow(NameOf(key), std::get<1>(key), row, was);
      all.file_count += row.file_count;
      all.size_bytes += row.size_bytes;
      all.cached_bytes += row.cached_bytes;
      all.dirty_bytes += row.dirty_bytes;
      all.lately_gone_bytes += row.lately_gone_bytes;
      all.open.buffered += row.open.buffered;
      all.open.direct += row.open.direct;
    }
    ShowRow("all", "", all,
            before.has_value() ? std::optional(all_before) : std::nullopt);
  }

  void ShowHead(const IoView& view, const std::optional<IoView>& before) const {
    PrintLine(db_path_ +
              (view.process == 0
                   ? ": no process has it open for writing"
                   : ": open in process " + std::to_string(view.process)));
    if (!before.has_value() || before->process != view.process) return;
    const double seconds = interval_seconds_;
    if (view.io.has_value() && before->io.has_value()) {
      std::printf(
          "device: %.1f MB/s read, %.1f MB/s written; asked for by calls: %.1f "
          "MB/s\n",
          Megabytes(view.io->device_read_bytes -
                    before->io->device_read_bytes) /
              seconds,
          Megabytes(view.io->device_written_bytes -
                    before->io->device_written_bytes) /
              seconds,
          Megabytes(view.io->call_read_bytes - before->io->call_read_bytes) /
              seconds);
    }
    if (view.refaults.has_value() && before->refaults.has_value()) {
      std::printf(
          "refaults: %.1f pages/s (of the %s)\n",
          static_cast<double>(view.refaults->pages - before->refaults->pages) /
              seconds,
          view.refaults->is_of_group ? "process's group" : "machine");
    }
  }

  static void ShowRow(const std::string& part, const std::string& family,
                      const IoRow& row, std::optional<uint64_t> before) {
    const double change = before.has_value()
                              ? Megabytes(row.cached_bytes) - Megabytes(*before)
                              : 0;
    std::printf("%-5s %-15s %6" PRIu64
                " %10.1f %10.1f %6.1f%% %5.1f%% %9.1f %+8.1f %6" PRIu64
                " %6" PRIu64 "\n",
                part.c_str(), family.substr(0, 15).c_str(), row.file_count,
                Megabytes(row.size_bytes), Megabytes(row.cached_bytes),
                PercentOfSize(row.cached_bytes, row.size_bytes),
                PercentOfSize(row.heat_bytes(), row.size_bytes),
                Megabytes(row.dirty_bytes), change,
                row.open.buffered + row.open.direct, row.open.direct);
  }

  int interval_seconds_ = 2;
  int count_ = 1;
};

}  // namespace

const std::vector<CommandRow>& LiveCommands() {
  static const std::vector<CommandRow> kRows = {
      {"io",
       Opens::kNothing,
       "[--interval=<seconds>] [--count=<n>] [--json]",
       "Shows how much of a database's files the page cache holds, level by "
       "level, how much of them was wanted of late (heat: cached, or pushed "
       "out not long ago), and of the process that has the database open its "
       "descriptors, those with direct I/O, its device I/O and refaults. "
       "Looks from outside: no page is brought in, no lock taken. Once; "
       "--count=0 goes on, every 2 seconds if --interval does not say "
       "otherwise.",
       {"interval", "count", "json"},
       &MakeCommand<IoCommand>},
      {"top",
       Opens::kNothing,
       "[--log=<file>] [--prometheus=<file>] [--interval=<seconds>] "
       "[--count=<n>] [--json]",
       "Shows what a running database says of itself: rates, levels, "
       "compactions, cache, and why writes are held back. Of the last "
       "statistics in LOG (also of RocksDB), or of a file with numbers in "
       "the format of Prometheus, which the application writes anew: two "
       "looks at it give rates. Once; --count=0 goes on.",
       {"log", "prometheus", "interval", "count", "json"},
       &MakeCommand<TopCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
