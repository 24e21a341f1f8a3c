#include "db_stress_tool/write_trace.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr uint64_t kTraceMagic = 0x4241534c54524332;
// The file is sparse: only what is written takes space.
constexpr size_t kMaxRecords = size_t{1} << 25;

}  // namespace

struct WriteTrace::Header {
  uint64_t magic;
  uint64_t generation;
  uint64_t is_loss_common;
  std::atomic<uint64_t> record_count;
  // Not forgotten by a restart.
  std::atomic<Stamp> newest_stamp;
  std::atomic<Moment> durable_until[kMaxFamilies];
};

WriteTrace::~WriteTrace() {
  if (header_ != nullptr) munmap(header_, mapped_bytes_);
}

Status WriteTrace::Open(const std::string& path) {
  mapped_bytes_ = sizeof(Header) + kMaxRecords * sizeof(TraceRecord);
  int fd = -1;
  if (!path.empty()) {
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(mapped_bytes_)) != 0) {
      const std::string why = strerror(errno);
      if (fd >= 0) close(fd);
      return Status::IOError(path, why);
    }
  }
  const int kind = path.empty() ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const map = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                         kind | MAP_NORESERVE, fd, 0);
  if (fd >= 0) close(fd);
  if (map == MAP_FAILED) return Status::IOError(path, strerror(errno));
  header_ = static_cast<Header*>(map);
  records_ = reinterpret_cast<TraceRecord*>(header_ + 1);
  if (header_->magic == 0) Restart(0, true);
  if (header_->magic != kTraceMagic) {
    return Status::Corruption(path, "is no trace of db_stress");
  }
  return Status::OK();
}

void WriteTrace::Restart(uint64_t generation, bool is_loss_common) {
  // The records first: a new generation never has old ones.
  for (TraceRecord& record : std::span(
           records_, std::min<uint64_t>(header_->record_count, kMaxRecords))) {
    record.begin = 0;
  }
  header_->record_count = 0;
  for (std::atomic<Moment>& until : header_->durable_until) until = 0;
  header_->is_loss_common = is_loss_common ? 1 : 0;
  header_->generation = generation;
  header_->magic = kTraceMagic;
  clock_ = 1;
}

uint64_t WriteTrace::generation() const { return header_->generation; }

bool WriteTrace::is_loss_common() const { return header_->is_loss_common != 0; }

std::span<const TraceRecord> WriteTrace::records() const {
  return {records_, std::min<uint64_t>(header_->record_count, kMaxRecords)};
}

Moment WriteTrace::durable_until(size_t family) const {
  return header_->durable_until[family];
}

Stamp WriteTrace::NextStamp() { return header_->newest_stamp.fetch_add(1) + 1; }

Stamp WriteTrace::newest_stamp() const { return header_->newest_stamp; }

TraceRecord* WriteTrace::Begin(const KeyRef& key, Word word, Moment begin) {
  const uint64_t index = header_->record_count.fetch_add(1);
  if (index >= kMaxRecords) return nullptr;
  TraceRecord* const record = &records_[index];
  record->end = kNever;
  record->key = key.number;
  record->word = word;
  record->family = static_cast<uint16_t>(key.family);
  record->is_durable = 0;
  // Last: a record that has its begin has all of it.
  std::atomic_signal_fence(std::memory_order_release);
  record->begin = begin;
  return record;
}

void WriteTrace::NoteDurable(size_t family, Moment moment) {
  std::atomic<Moment>& until = header_->durable_until[family];
  Moment present = until.load();
  while (present < moment && !until.compare_exchange_weak(present, moment)) {
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
