// What users read lately in several table files, by key: how a new file that
// takes their place learns which of its blocks will be read.
//
// Heat is a sample of what was read, and takes time to gather. Where it tells
// that users read at all, what the page cache has tells it block by block.
//
// Threads  One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// Neighbouring blocks of one file that are read equally.
struct HeatRange {
  // User keys: behind `begin` (from it on, if begins_at), up to `end`.
  std::string begin;
  std::string end;
  bool begins_at = false;
  bool is_cached = false;    // in the block cache
  bool is_resident = false;  // in the page cache, where users read
  uint8_t heat = 0;
  uint64_t bytes = 0;
};

// The first and the last user key of a file.
struct KeyBounds {
  Slice smallest;
  Slice largest;
};

// A block that users will read.
struct HotBlock {
  uint64_t offset = 0;
  uint64_t size = 0;  // with trailer
  uint8_t heat = 0;
  bool is_cached = false;    // what held its keys was in the block cache
  bool is_resident = false;  // likewise, in the page cache
};

class KeyHeat {
 public:
  // Those of one file: ascending, without overlap.
  using Ranges = std::vector<HeatRange>;

  // `asks_pages`: those who add are to say what the page cache has.
  explicit KeyHeat(const InternalKeyComparator& order, bool asks_pages = false)
      : order_(order), asks_pages_(asks_pages) {}

  bool asks_pages() const { return asks_pages_; }
  // The files of a sorted run that come in its order are one to ask.
  void Add(Ranges ranges);
  bool empty() const { return sources_.empty(); }
  // The bytes of all ranges that were added.
  uint64_t bytes() const { return bytes_; }

  // The greatest heat of the ranges that the keys behind `begin` up to `end`
  // meet, and whether any of them is cached or resident. Asked in ascending
  // order; Restart() begins anew.
  struct Heat {
    uint8_t heat = 0;
    bool is_cached = false;
    bool is_resident = false;

    bool is_cold() const { return heat == 0 && !is_resident; }
  };
  Heat Of(const Slice& begin, const Slice& end);
  void Restart();

 private:
  struct Source {
    Ranges ranges;
    size_t next = 0;  // the first that does not end before what is asked
  };
  bool EndsBefore(const HeatRange& range, const Slice& begin) const;
  bool BeginsAfter(const HeatRange& range, const Slice& end) const;

  const InternalKeyComparator order_;
  const bool asks_pages_;
  std::deque<Source> sources_;
  uint64_t bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
