// The journal of what was written, in a mapped file that survives the end of
// the process: what a recovered database may hold is told from it.
//
// A record is made before the write is handed to the database, and its end
// noted when the database has answered OK. Both are moments of one counter, so
// that of two writes it is known whether one had ended before the other began;
// nothing else is assumed about the order in which an engine applies them.
//
// Threads    Begin(), End() and the durability notes: any, at once. Records of
//            one key are made by one thread at a time.
// Errors     A map that fails, or a full one, is a Status.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "db_stress_tool/keys.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

// A moment of the counter. 0 is before all, kNever after all.
using Moment = uint64_t;
inline constexpr Moment kNever = UINT64_MAX;

// What a key holds: version * 2, plus 1 if it is there. A deletion takes a
// version, too, so that words of a key grow with each write.
using Word = uint32_t;
inline constexpr bool IsThere(Word word) { return (word & 1) != 0; }
inline constexpr uint32_t VersionOf(Word word) { return word >> 1; }
inline constexpr Word PutAfter(Word word) {
  return (VersionOf(word) + 1) << 1 | 1;
}
inline constexpr Word DeletedAfter(Word word) {
  return (VersionOf(word) + 1) << 1;
}

// A user-defined timestamp. Each write takes the next one.
using Stamp = uint64_t;
inline constexpr Stamp kNewestStamp = UINT64_MAX;

struct TraceRecord {
  Moment begin;
  // kNever until the write is acknowledged.
  std::atomic<Moment> end;
  uint64_t key;
  Word word;
  uint16_t family;
  // Acknowledged as one that survives whatever the test does to the process.
  std::atomic<uint16_t> is_durable;

  // 0 in a slot that was claimed by a process that then died.
  bool is_whole() const { return begin != 0; }
};
static_assert(sizeof(TraceRecord) == 32);

class WriteTrace {
 public:
  static constexpr size_t kMaxFamilies = 64;

  WriteTrace() = default;
  ~WriteTrace();
  WriteTrace(const WriteTrace&) = delete;
  WriteTrace& operator=(const WriteTrace&) = delete;

  // Maps the file at `path`, which is made if it is not there; without a path
  // the trace is in memory and ends with the process.
  Status Open(const std::string& path);
  // Forgets all records; from now on it continues the baseline `generation`.
  // `is_loss_common`: what is lost of all families is lost from one moment on.
  void Restart(uint64_t generation, bool is_loss_common);

  uint64_t generation() const;
  bool is_loss_common() const;
  std::span<const TraceRecord> records() const;
  // All writes of the family that had ended by this moment are durable.
  Moment durable_until(size_t family) const;

  Moment Now() { return clock_.load(); }
  // A null record: the trace is full.
  TraceRecord* Begin(const KeyRef& key, Word word, Moment begin);
  // A stamp that no process that used this trace was ever given before.
  Stamp NextStamp();
  Stamp newest_stamp() const;
  // One moment for all records of one atomic write.
  Moment Tick() { return clock_.fetch_add(1) + 1; }
  // All writes of the family that had ended by `moment` are durable.
  void NoteDurable(size_t family, Moment moment);

 private:
  struct Header;

  Header* header_ = nullptr;
  TraceRecord* records_ = nullptr;
  size_t mapped_bytes_ = 0;
  std::atomic<Moment> clock_{1};
};

}  // namespace ROCKSDB_NAMESPACE::stress
