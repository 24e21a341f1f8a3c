// BlockBasedTableReader: which keys users read, and which blocks hold them.
#include <algorithm>
#include <cassert>
#include <utility>

#include "env/resident_pages.h"
#include "rocksdb/file_system.h"
#include "table/block_based_reader.h"
#include "table/block_source.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The blocks [begin, end) of one cell of the heat map.
struct CellBlocks {
  size_t begin;
  size_t end;
};

CellBlocks CellFrom(const IndexBlock& index, const HeatMap& map, size_t begin) {
  assert(begin < index.size());
  const uint64_t cell = map.CellOf(index.handle(begin).offset);
  size_t end = begin + 1;
  while (end < index.size() && map.CellOf(index.handle(end).offset) == cell) {
    ++end;
  }
  return {begin, end};
}

// Whether users read around a place, for places in order.
class District {
 public:
  explicit District(const HeatMap* map) : map_(*map) {}
  // A scan counts for sixteen reads of a district, two of which the sample
  // holds on average: not by what one leaves behind.
  bool IsRead(uint64_t offset) {
    constexpr uint32_t kLeast = 12;
    const uint64_t number = offset / HeatMap::kDistrictBytes;
    if (number != number_) {
      number_ = number;
      is_read_ = map_.OfDistrict(offset) >= kLeast;
    }
    return is_read_;
  }

 private:
  const HeatMap& map_;
  uint64_t number_ = UINT64_MAX;
  bool is_read_ = false;
};

// The key before the block's first; of the file's first block, that key.
Slice KeyBefore(const IndexBlock& index, size_t block,
                const KeyBounds& bounds) {
  return block == 0 ? bounds.smallest : index.user_key(block - 1);
}

// No key of the block is behind; of the last one the index says too much.
Slice LastKey(const IndexBlock& index, size_t block, const KeyBounds& bounds) {
  return block + 1 == index.size() ? bounds.largest : index.user_key(block);
}

PageSet ResidentPagesOf(const FSRandomAccessFile& file) {
  const auto* const pages = dynamic_cast<const ResidentPages*>(&file);
  return pages != nullptr ? pages->FindResident() : PageSet();
}

}  // namespace

bool BlockBasedTableReader::Extends(const HeatRange& range,
                                    const HeatRange& next) const {
  return range.heat == next.heat && range.is_cached == next.is_cached &&
         range.is_resident == next.is_resident &&
         parts_->order.EqualUserKeys(range.end, next.begin);
}

Status BlockBasedTableReader::CollectHeat(const KeyBounds& bounds,
                                          KeyHeat* heat) const {
  HeatMap* const map = parts_->heat.get();
  if (map == nullptr || map->is_cold()) return Status::OK();
  map->Age();
  BlockRef<IndexBlock> index;
  ReadOptions read;
  read.fill_cache = false;
  if (Status s = parts_->FindWholeIndex(read, &index); !s.ok()) return s;
  const PageSet pages =
      heat->asks_pages() ? ResidentPagesOf(*file()) : PageSet();
  District district(map);
  KeyHeat::Ranges ranges;
  for (size_t i = 0; i < index->size(); ++i) {
    const BlockHandle& handle = index->handle(i);
    if (handle.offset >= parts_->file.size) break;  // A damaged index.
    HeatRange range;
    range.bytes = handle.size + kBlockTrailerBytes;
    range.heat = map->at(handle.offset);
    range.is_resident =
        pages.Has(handle.offset, range.bytes) && district.IsRead(handle.offset);
    if (range.heat == 0 && !range.is_resident) continue;
    range.begin = KeyBefore(*index, i, bounds).ToString();
    range.end = LastKey(*index, i, bounds).ToString();
    range.begins_at = i == 0;
    range.is_cached = parts_->cache.Contains(handle.offset);
    if (!ranges.empty() && Extends(ranges.back(), range)) {
      ranges.back().end = std::move(range.end);
      ranges.back().bytes += range.bytes;
    } else {
      ranges.push_back(std::move(range));
    }
  }
  heat->Add(std::move(ranges));
  return Status::OK();
}

Status BlockBasedTableReader::InheritHeat(const KeyBounds& bounds,
                                          KeyHeat* heat,
                                          std::vector<HotBlock>* blocks) const {
  HeatMap* const map = parts_->heat.get();
  if (map == nullptr || heat->empty()) return Status::OK();
  BlockRef<IndexBlock> index;
  ReadOptions read;
  read.fill_cache = false;
  if (Status s = parts_->FindWholeIndex(read, &index); !s.ok()) return s;
  heat->Restart();
  for (size_t i = 0; i < index->size();) {
    const CellBlocks cell = CellFrom(*index, *map, i);
    i = cell.end;
    // Most cells are cold: one question for all of their blocks.
    const Slice before = KeyBefore(*index, cell.begin, bounds);
    if (heat->Of(before, LastKey(*index, cell.end - 1, bounds)).is_cold()) {
      continue;
    }
    uint64_t bytes = 0;
    uint64_t heat_bytes = 0;
    for (size_t block = cell.begin; block < cell.end; ++block) {
      const KeyHeat::Heat own =
          heat->Of(KeyBefore(*index, block, bounds), index->user_key(block));
      const BlockHandle& handle = index->handle(block);
      bytes += handle.size;
      heat_bytes += own.heat * handle.size;
      if (own.is_cold()) continue;
      blocks->push_back({handle.offset, handle.size + kBlockTrailerBytes,
                         own.heat, own.is_cached, own.is_resident});
    }
    // The mean: the neighbours of what is hot would spread from file to file
    // if one block made its cell as hot as itself.
    map->Raise(index->handle(cell.begin).offset,
               static_cast<uint8_t>(heat_bytes / std::max<uint64_t>(bytes, 1)));
  }
  return Status::OK();
}

Status BlockBasedTableReader::CacheBlock(const HotBlock& block,
                                         const Slice& stored) const {
  assert(stored.size() == block.size);
  if (!parts_->cache.is_enabled()) return Status::OK();
  const BlockHandle handle{block.offset, block.size - kBlockTrailerBytes};
  Status s = CheckTrailer(parts_->file, handle, stored.data());
  if (!s.ok()) return s;
  BlockMemory expanded;
  Slice payload;
  s = ExpandBlock({parts_->file, handle, stored.data()},
                  parts_->data_decompressor.get(), &expanded, &payload);
  if (!s.ok()) return s;
  const char* problem = nullptr;
  std::unique_ptr<Block> parsed =
      parts_->cache.MakeDataBlock(BlockBytes::CopyOf(payload), &problem);
  if (parsed == nullptr) return parts_->file.Corrupt(handle.offset, problem);
  parts_->cache.Insert(handle.offset, std::move(parsed), Cache::Priority::LOW);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
