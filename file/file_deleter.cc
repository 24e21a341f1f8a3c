#include "file/file_deleter.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "env/file_holders.h"
#include "env/job_threads.h"
#include "file/io_leave.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A small file costs its share of a journal's page.
constexpr uint64_t kLeastCostBytes = 4096;
constexpr double kSecondInMicros = 1e6;
// Longer than anybody waits, and far from an overflow.
constexpr double kMostMicros = 1e15;

uint64_t CostOf(uint64_t bytes) {
  return std::clamp<uint64_t>(bytes / FileDeleter::kFreedPerMoved,
                              kLeastCostBytes, IoGovernor::kMaxRequestBytes);
}

uint64_t MicrosAt(double bytes_per_second, uint64_t bytes) {
  assert(bytes_per_second > 0);
  const double micros =
      static_cast<double>(bytes) * kSecondInMicros / bytes_per_second;
  return static_cast<uint64_t>(std::min(micros, kMostMicros));
}

}  // namespace

FileDeleter::FileDeleter(FileDeleterOptions options)
    : options_(std::move(options)),
      holders_(dynamic_cast<const FileHolders*>(options_.fs.get())),
      bytes_per_second_(options_.bytes_per_second),
      max_trash_ratio_(options_.max_trash_ratio),
      statistics_(options_.statistics),
      job_threads_(std::make_unique<JobThreads>()) {
  INVARIANT(options_.fs != nullptr && options_.clock != nullptr);
}

FileDeleter::~FileDeleter() {
  std::thread last;
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    changed_.SignalAll();
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

bool FileDeleter::IsTrash(const std::string& name) {
  return name.size() > sizeof(kTrashSuffix) - 1 && name.ends_with(kTrashSuffix);
}

// ---- What is set, and what is seen ----

int64_t FileDeleter::rate() const {
  MutexLock lock(&mutex_);
  return bytes_per_second_;
}

void FileDeleter::SetRate(int64_t bytes_per_second) {
  MutexLock lock(&mutex_);
  bytes_per_second_ = bytes_per_second;
  // What was to be waited for was so at another rate.
  paced_.not_before_micros = 0;
  changed_.SignalAll();
}

double FileDeleter::max_trash_ratio() const {
  MutexLock lock(&mutex_);
  return max_trash_ratio_;
}

void FileDeleter::SetMaxTrashRatio(double ratio) {
  MutexLock lock(&mutex_);
  max_trash_ratio_ = ratio;
}

void FileDeleter::SetStatistics(std::shared_ptr<Statistics> statistics) {
  MutexLock lock(&mutex_);
  statistics_ = std::move(statistics);
}

uint64_t FileDeleter::trash_bytes() const {
  MutexLock lock(&mutex_);
  return trash_bytes_;
}

std::unordered_map<std::string, uint64_t> FileDeleter::TrashFiles() const {
  MutexLock lock(&mutex_);
  std::unordered_map<std::string, uint64_t> result;
  for (const Lane* lane : {&governed_, &paced_}) {
    for (const Trash& trash : lane->files) {
      result[trash.path] = trash.size_bytes;
    }
  }
  return result;
}

bool FileDeleter::WaitForGoverned(uint64_t micros) {
  const uint64_t begin = MonotonicMicros(options_.clock);
  MutexLock lock(&mutex_);
  while (!governed_.files.empty() && !is_ending_) {
    const uint64_t waited = MonotonicMicros(options_.clock) - begin;
    if (waited >= micros) return false;
    changed_.WaitFor(micros - waited);
  }
  return true;
}

void FileDeleter::WaitForEmptyTrash() {
  MutexLock lock(&mutex_);
  while (is_working_ && !is_ending_) changed_.Wait();
}

void FileDeleter::FinishNow() {
  MutexLock lock(&mutex_);
  is_finishing_ = true;
  changed_.SignalAll();
  while (is_working_) changed_.Wait();
  INVARIANT(governed_.files.empty() && paced_.files.empty());
}

void FileDeleter::Tick(uint32_t ticker) {
  std::shared_ptr<Statistics> statistics;
  {
    MutexLock lock(&mutex_);
    statistics = statistics_;
  }
  RecordTick(statistics.get(), ticker);
}

// ---- On the caller's thread ----

bool FileDeleter::WaitsForRate() const {
  if (bytes_per_second_ <= 0) return false;
  const uint64_t live = options_.live_bytes ? options_.live_bytes() : 0;
  const double limit =
      static_cast<double>(live + trash_bytes_) * max_trash_ratio_;
  return static_cast<double>(trash_bytes_) <= limit;
}

Status FileDeleter::DeleteNow(const std::string& path) {
  Status s = options_.fs->DeleteFile(path, IOOptions(), nullptr);
  if (s.ok()) Tick(FILES_DELETED_IMMEDIATELY);
  return s;
}

bool FileDeleter::TryNow(const DeadFile& file, uint64_t size_bytes,
                         Status* status) {
  INVARIANT(file.governor != nullptr);
  if (size_bytes / kFreedPerMoved > IoGovernor::kMaxRequestBytes) return false;
  const uint64_t cost = CostOf(size_bytes);
  const size_t granted =
      file.governor->TryAdmit(IoClass::kMaintenance, cost, 1);
  if (granted == cost) *status = DeleteNow(file.path);
  if (granted > 0) file.governor->Finish(IoClass::kMaintenance, granted, 0);
  return granted == cost;
}

Status FileDeleter::MoveToTrash(const std::string& path,
                                std::string* trash_path) {
  INVARIANT(trash_path != nullptr);
  *trash_path = path + kTrashSuffix;
  while (options_.fs->FileExists(*trash_path, IOOptions(), nullptr).ok()) {
    MutexLock lock(&mutex_);
    *trash_path = path + "." + std::to_string(name_count_++) + kTrashSuffix;
  }
  return options_.fs->RenameFile(path, *trash_path, IOOptions(), nullptr);
}

Status FileDeleter::Delete(const DeadFile& file) {
  INVARIANT(!file.path.empty());
  INVARIANT(!IsTrash(file.path));
  bool waits_for_rate = false;
  bool may_wait = false;
  {
    MutexLock lock(&mutex_);
    waits_for_rate = WaitsForRate();
    may_wait = !is_finishing_ && (waits_for_rate || file.governor != nullptr);
  }
  if (!may_wait) return DeleteNow(file.path);
  Trash trash;
  trash.governor = file.governor;
  trash.size_bytes = file.size_bytes;
  Status s;
  if (trash.size_bytes == 0) {
    s = options_.fs->GetFileSize(file.path, IOOptions(), &trash.size_bytes,
                                 nullptr);
  }
  if (!s.ok()) return DeleteNow(file.path);
  if (!waits_for_rate && TryNow(file, trash.size_bytes, &s)) return s;
  if (!MoveToTrash(file.path, &trash.path).ok()) return DeleteNow(file.path);
  Tick(FILES_MARKED_TRASH);
  MutexLock lock(&mutex_);
  AddLocked(std::move(trash), waits_for_rate ? &paced_ : &governed_);
  return Status::OK();
}

Status FileDeleter::AdoptTrash(const std::string& directory,
                               const std::shared_ptr<IoGovernor>& governor) {
  std::vector<std::string> names;
  Status s = options_.fs->GetChildren(directory, IOOptions(), &names, nullptr);
  // What came after the listing is not in it.
  const std::unordered_map<std::string, uint64_t> known = TrashFiles();
  for (const std::string& name : names) {
    if (!s.ok()) break;
    if (!IsTrash(name)) continue;
    Trash trash;
    trash.path = directory + "/" + name;
    trash.governor = governor;
    // It may have gone since.
    const bool is_there =
        options_.fs
            ->GetFileSize(trash.path, IOOptions(), &trash.size_bytes, nullptr)
            .ok();
    MutexLock lock(&mutex_);
    if (!is_there || known.count(trash.path) > 0) continue;
    AddLocked(std::move(trash), bytes_per_second_ > 0 ? &paced_ : &governed_);
  }
  return s;
}

void FileDeleter::AddLocked(Trash trash, Lane* lane) {
  INVARIANT(lane != nullptr && IsTrash(trash.path));
  // A directory may be listed while a file of it is moved to the trash.
  if (!paths_.insert(trash.path).second) return;
  trash_bytes_ += trash.size_bytes;
  lane->files.push_back(std::move(trash));
  changed_.SignalAll();
  if (is_working_ || is_ending_) return;
  // The one before has left Work().
  if (thread_.joinable()) thread_.join();
  is_working_ = true;
  thread_ = JobThreads::StartOutside([this] {
    const JobThreads::Membership membership(job_threads_.get());
    Work();
  });
}

// ---- On the deleter's thread ----

void FileDeleter::Work() {
  MutexLock lock(&mutex_);
  INVARIANT(is_working_);
  while (!is_ending_ && (!governed_.files.empty() || !paced_.files.empty())) {
    uint64_t wait_micros = 0;
    Lane* const lane = NextLane(&wait_micros);
    if (lane != nullptr) {
      DeletePieceOf(lane);
    } else {
      changed_.WaitFor(wait_micros);
    }
  }
  is_working_ = false;
  changed_.SignalAll();
}

FileDeleter::Lane* FileDeleter::NextLane(uint64_t* wait_micros) {
  const uint64_t now = MonotonicMicros(options_.clock);
  uint64_t least = UINT64_MAX;
  for (Lane* lane : {&governed_, &paced_}) {
    if (lane->files.empty()) continue;
    if (is_finishing_ || lane->not_before_micros <= now) return lane;
    least = std::min(least, lane->not_before_micros - now);
  }
  INVARIANT(least != UINT64_MAX);
  *wait_micros = least;
  return nullptr;
}

void FileDeleter::DeletePieceOf(Lane* lane) {
  INVARIANT(!lane->files.empty());
  // Only this thread takes files out: the first stays where it is.
  Trash trash = lane->files.front();
  uint64_t max_bytes = UINT64_MAX;
  if (is_finishing_) {
    trash.governor = nullptr;
    trash.cut = Trash::Cut::kForbidden;
  } else if (lane == &paced_ && options_.max_chunk_bytes > 0) {
    max_bytes = options_.max_chunk_bytes;
  }
  mutex_.Unlock();
  const Piece piece = DeletePiece(&trash, max_bytes);
  mutex_.Lock();
  INVARIANT(lane->files.front().path == trash.path);
  const uint64_t freed = piece.is_gone
                             ? trash.size_bytes
                             : std::min(piece.freed_bytes, trash.size_bytes);
  INVARIANT(trash_bytes_ >= freed);
  trash_bytes_ -= freed;
  trash.size_bytes -= freed;
  if (const uint64_t wait = MicrosFor(*lane, trash, freed); wait > 0) {
    lane->not_before_micros = MonotonicMicros(options_.clock) + wait;
  }
  if (piece.is_gone) {
    paths_.erase(trash.path);
    lane->files.pop_front();
  } else {
    lane->files.front() = std::move(trash);
  }
  changed_.SignalAll();
}

bool FileDeleter::MayCut(const std::string& path) const {
  uint64_t links = 0;
  return holders_ != nullptr &&
         options_.fs->NumFileLinks(path, IOOptions(), &links, nullptr).ok() &&
         links == 1 && holders_->IsClosedEverywhere(path);
}

FileDeleter::Piece FileDeleter::DeletePiece(Trash* trash, uint64_t max_bytes) {
  using Cut = Trash::Cut;
  assert(max_bytes > 0);
  if (trash->cut == Cut::kUnknown) {
    trash->cut = MayCut(trash->path) ? Cut::kAllowed : Cut::kForbidden;
  }
  IoGovernor* const governor = trash->governor.get();
  const IoLeave leave(governor, IoClass::kMaintenance,
                      CostOf(trash->size_bytes));
  const uint64_t most =
      governor != nullptr ? std::min(max_bytes, leave.bytes() * kFreedPerMoved)
                          : max_bytes;
  if (trash->cut == Cut::kAllowed && trash->size_bytes > most) {
    const Status s = options_.fs->Truncate(
        trash->path, trash->size_bytes - most, IOOptions(), nullptr);
    if (s.ok()) return {.freed_bytes = most};
    trash->cut = Cut::kForbidden;
  }
  const Status s = options_.fs->DeleteFile(trash->path, IOOptions(), nullptr);
  if (s.ok()) {
    Tick(FILES_DELETED_FROM_TRASH_QUEUE);
  } else if (!s.IsNotFound() && !s.IsPathNotFound()) {
    Warn(options_.logger.get(), "cannot delete %s: %s", trash->path.c_str(),
         s.ToString().c_str());
  }
  return {.freed_bytes = trash->size_bytes, .is_gone = true};
}

// How long the next piece has to wait after one of so many bytes.
uint64_t FileDeleter::MicrosFor(const Lane& lane, const Trash& trash,
                                uint64_t bytes) const {
  uint64_t micros = 0;
  if (&lane == &paced_ && bytes_per_second_ > 0) {
    micros = MicrosAt(static_cast<double>(bytes_per_second_), bytes);
  }
  if (const IoGovernor* governor = trash.governor.get();
      governor != nullptr && governor->users_read()) {
    const auto bandwidth =
        static_cast<double>(governor->Stats().bandwidth_bytes_per_second);
    if (bandwidth > 0) micros = std::max(micros, MicrosAt(bandwidth, bytes));
  }
  return micros;
}

}  // namespace ROCKSDB_NAMESPACE
