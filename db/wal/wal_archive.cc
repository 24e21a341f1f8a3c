#include "db/wal/wal_archive.h"

#include <algorithm>

#include "file/filename.h"
#include "rocksdb/file_system.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kLongestPeriodSeconds = 600;
constexpr uint64_t kArchiveMicrosPerSecond = 1000 * 1000;
constexpr uint64_t kBytesPerMegabyte = 1 << 20;

}  // namespace

WalArchive::WalArchive(const ImmutableDBOptions* db, std::string wal_dir,
                       Deleter deleter)
    : db_(db),
      wal_dir_(std::move(wal_dir)),
      deleter_(std::move(deleter)),
      pruning_(std::make_unique<PeriodicTask>([this] { Prune(); })) {
  INVARIANT(db_ != nullptr);
  INVARIANT(deleter_ != nullptr);
  INVARIANT(!wal_dir_.empty());
}

WalArchive::~WalArchive() = default;

void WalArchive::Stop() { pruning_->Stop(); }

void WalArchive::Start() {
  if (!is_on()) return;
  uint64_t period = kLongestPeriodSeconds;
  if (const uint64_t ttl = db_->WAL_ttl_seconds; ttl > 0) {
    period = std::clamp<uint64_t>(ttl / 2, 1, kLongestPeriodSeconds);
  }
  pruning_->SetPeriod(period * kArchiveMicrosPerSecond);
}

Status WalArchive::Take(uint64_t number) {
  INVARIANT(is_on());
  INVARIANT(number > 0);
  MutexLock lock(&mutex_);
  Status s = db_->fs->CreateDirIfMissing(ArchivalDirectory(wal_dir_),
                                         IOOptions(), nullptr);
  if (!s.ok()) return s;
  return db_->fs->RenameFile(LogFileName(wal_dir_, number),
                             ArchivedLogFileName(wal_dir_, number), IOOptions(),
                             nullptr);
}

std::vector<WalArchive::Kept> WalArchive::List() const {
  std::vector<Kept> result;
  std::vector<std::string> names;
  const std::string directory = ArchivalDirectory(wal_dir_);
  int64_t now = 0;
  if (!db_->fs->GetChildren(directory, IOOptions(), &names, nullptr).ok() ||
      !db_->clock->GetCurrentTime(&now).ok()) {
    return result;
  }
  for (const std::string& name : names) {
    Kept kept;
    FileType type = kTempFile;
    if (!ParseFileName(name, &kept.number, &type) || type != kWalFile) continue;
    const std::string path = directory + "/" + name;
    uint64_t modified = 0;
    const bool is_known =
        db_->fs->GetFileSize(path, IOOptions(), &kept.size_bytes, nullptr)
            .ok() &&
        db_->fs->GetFileModificationTime(path, IOOptions(), &modified, nullptr)
            .ok();
    if (!is_known) continue;
    // A clock that was set back makes no file old.
    const auto now_seconds = static_cast<uint64_t>(std::max<int64_t>(now, 0));
    kept.age_seconds = now_seconds > modified ? now_seconds - modified : 0;
    result.push_back(kept);
  }
  std::sort(result.begin(), result.end(),
            [](const Kept& a, const Kept& b) { return a.number < b.number; });
  return result;
}

void WalArchive::Delete(const Kept& kept) const {
  const std::string path = ArchivedLogFileName(wal_dir_, kept.number);
  const Status s = deleter_(path, kept.size_bytes);
  if (s.ok() || s.IsNotFound() || s.IsPathNotFound()) return;
  Warn(db_->logger, "cannot delete %s: %s", path.c_str(), s.ToString().c_str());
}

void WalArchive::Prune() {
  if (!is_on()) return;
  MutexLock lock(&mutex_);
  std::vector<Kept> kept = List();
  const uint64_t ttl = db_->WAL_ttl_seconds;
  const auto is_useless = [ttl](const Kept& log) {
    return log.size_bytes == 0 || (ttl > 0 && log.age_seconds > ttl);
  };
  uint64_t largest = 0;
  for (const Kept& log : kept) {
    if (is_useless(log)) {
      Delete(log);
    } else {
      largest = std::max(largest, log.size_bytes);
    }
  }
  std::erase_if(kept, is_useless);
  if (db_->WAL_size_limit_MB == 0 || largest == 0) return;
  const uint64_t limit_bytes =
      db_->WAL_size_limit_MB > UINT64_MAX / kBytesPerMegabyte
          ? UINT64_MAX
          : db_->WAL_size_limit_MB * kBytesPerMegabyte;
  const uint64_t most = limit_bytes / largest;
  if (kept.size() <= most) return;
  const size_t surplus = kept.size() - static_cast<size_t>(most);
  INVARIANT(surplus <= kept.size());
  for (size_t i = 0; i < surplus; ++i) Delete(kept[i]);
}

}  // namespace ROCKSDB_NAMESPACE
