// Blocks of one file that will be asked for, in a known order: those of a scan
// whose ranges were told beforehand.
//
// Blocks near each other are read at once, in spans. From the first span on so
// many are fetched as there is room for: at once, where the file system can
// poll, else by one call for many reads. When the reader comes to a span, those
// before it are let go of, and others take their room.
//
// Memory     At most max_bytes, no more than *bytes_left in all, and what the
//            shared room allows; one span may always be there. Counted in
//            PREFETCH_MEMORY_BYTES_GRANTED and _RELEASED.
// Counts     MULTISCAN_IO_REQUESTS, _PREFETCH_BYTES, _BLOCKS_PREFETCHED,
//            _IO_COALESCED_NONADJACENT; blocks that were let go of without
//            having been asked for: _PREFETCH_BLOCKS_WASTED, and the bytes of
//            a span that nobody asked for, gaps as well: the histogram
//            PREFETCHED_BYTES_DISCARDED. Refusals of the shared room:
//            PREFETCH_MEMORY_REQUESTS_BLOCKED. In PlannedCounts, too.
// Threads    One at a time.
// Ownership  Borrows the file and what options point to. A result is good
//            until the next call.
// Errors     None: TryRead() answers false, and the caller reads by itself and
//            meets the error there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "file/aligned_buffer.h"
#include "file/async_file_read.h"
#include "file/prefetch_memory.h"
#include "file/prefetch_room.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

struct PlannedBlock {
  uint64_t offset = 0;
  size_t size = 0;
};

// What the reads of one plan came to; any thread may look.
struct PlannedCounts {
  std::atomic<uint64_t> sync_reads{0};
  std::atomic<uint64_t> async_reads{0};
  std::atomic<uint64_t> blocks{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> joined_over_gaps{0};
};

struct PlannedReadsOptions {
  // Not null: reads go on while the reader does something else.
  FileSystem* fs = nullptr;
  Statistics* statistics = nullptr;
  // Bytes between two blocks of a span that nobody asks for.
  uint64_t coalesce_bytes = 0;
  uint64_t max_bytes = 0;
  int64_t* bytes_left = nullptr;
  PrefetchRoom* room = nullptr;           // null: it is shared with nobody
  std::shared_ptr<PlannedCounts> counts;  // null: nobody asks
};

class PlannedReads {
 public:
  // `blocks` come in the order in which they will be asked for.
  PlannedReads(const RandomAccessFileReader* file,
               const PlannedReadsOptions& options,
               const std::vector<PlannedBlock>& blocks);
  ~PlannedReads();
  PlannedReads(const PlannedReads&) = delete;
  PlannedReads& operator=(const PlannedReads&) = delete;

  // Fetches the first spans.
  void Start(const IOOptions& options);

  // True: `*result` has the `n` bytes at `offset`.
  bool TryRead(const IOOptions& options, uint64_t offset, size_t n,
               Slice* result);

  // Is the block fetched, or being fetched?
  bool IsFetched(uint64_t offset) const;
  // Nobody will ask for the block: its span goes with the last of its blocks.
  void Release(uint64_t offset);

 private:
  struct Block {
    size_t size = 0;
    size_t span = 0;
    bool was_used = false;
    bool is_released = false;
  };
  // One span's, or that of several which were read directly.
  struct Memory {
    explicit Memory(Statistics* statistics) : count(statistics) {}

    AlignedBuffer buffer;
    PrefetchMemory count;
  };
  // Bytes read at once: whole alignment units.
  struct Span {
    uint64_t begin = 0;
    uint64_t end = 0;
    std::vector<uint64_t> blocks;  // their offsets
    bool is_held = false;          // counts against the limits
    bool is_released = false;      // with all its blocks
    std::shared_ptr<Memory> memory;
    Slice bytes;
    // How many of them somebody asked for.
    uint64_t used_bytes = 0;
    AsyncFileRead read;

    size_t size() const { return static_cast<size_t>(end - begin); }
  };
  // Whether the reader waits for the first span that is fetched.
  enum class Need { kNow, kLater };

  void AddToSpans(const PlannedBlock& block);
  bool TakeRoom(const Span& span, Need need);
  void Reserve(Span* span);
  void Fetch(const IOOptions& options, Need need);
  bool StartRead(const IOOptions& options, Span* span);
  void ReadTogether(const IOOptions& options, std::vector<Span*> spans);
  void Take(Span* span);
  void Fill(Span* span, const Slice& bytes);
  void LetGo(Span* span);

  const RandomAccessFileReader* const file_;
  const PlannedReadsOptions options_;
  const size_t unit_;  // reads begin and end at multiples of it
  const size_t max_span_bytes_;
  std::unordered_map<uint64_t, Block> blocks_;
  std::deque<Span> spans_;  // a read under way does not move
  // Those before are let go of.
  size_t first_ = 0;
  // Those from here on were not asked for.
  size_t next_ = 0;
  uint64_t held_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
