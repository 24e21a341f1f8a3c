#include "java/jni/handles.h"

#include <mutex>
#include <vector>

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// State: generation << 34 | free | closed | pins. A handle has the same
// generation, above the place's index and a lowest bit that is always set.
constexpr int kGenerationShift = 34;
constexpr uint64_t kFreeBit = uint64_t{1} << 33;
constexpr uint64_t kClosedBit = uint64_t{1} << 32;
constexpr uint64_t kPinMask = kClosedBit - 1;
constexpr uint64_t kIndexMask = kClosedBit - 1;

constexpr uint32_t kSlotsPerChunk = 1024;
constexpr uint32_t kMaxChunks = 16384;

// Chunks stay for ever: a stale handle is looked up in them.
std::atomic<HandleSlot*> chunks[kMaxChunks];

std::mutex free_mutex;
std::vector<HandleSlot*>& FreeSlots() {
  static auto* slots = std::make_unique<std::vector<HandleSlot*>>().release();
  return *slots;
}
uint32_t chunk_count = 0;  // Guarded by free_mutex.
std::atomic<int64_t> live_count{0};

HandleSlot* SlotAt(uint64_t index) {
  const uint64_t chunk = index / kSlotsPerChunk;
  if (chunk >= kMaxChunks) return nullptr;
  HandleSlot* slots = chunks[chunk].load(std::memory_order_acquire);
  return slots == nullptr ? nullptr : slots + index % kSlotsPerChunk;
}

// Requires free_mutex. Throws std::bad_alloc when the table is full.
void AddChunk() {
  if (chunk_count == kMaxChunks) throw std::bad_alloc();
  HandleSlot* slots = std::make_unique<HandleSlot[]>(kSlotsPerChunk).release();
  for (uint32_t i = 0; i < kSlotsPerChunk; ++i) {
    slots[i].state.store(kFreeBit | kClosedBit, std::memory_order_relaxed);
    slots[i].object = nullptr;
    slots[i].index = chunk_count * kSlotsPerChunk + i;
  }
  for (uint32_t i = kSlotsPerChunk; i > 0; --i) {
    FreeSlots().push_back(slots + i - 1);
  }
  chunks[chunk_count++].store(slots, std::memory_order_release);
}

// Ends the object of a closed place that nobody has pinned. Several threads
// may try; one succeeds.
void EndObject(HandleSlot* slot, uint64_t state) {
  const uint64_t next =
      (((state >> kGenerationShift) + 1) << kGenerationShift) | kFreeBit |
      kClosedBit;
  if (!slot->state.compare_exchange_strong(state, next,
                                           std::memory_order_acq_rel)) {
    return;
  }
  Object* object = slot->object;
  slot->object = nullptr;
  {
    std::lock_guard<std::mutex> lock(free_mutex);
    FreeSlots().push_back(slot);
  }
  live_count.fetch_sub(1, std::memory_order_relaxed);
  delete object;
}

}  // namespace

Handle Publish(std::unique_ptr<Object> object) {
  HandleSlot* slot;
  {
    std::lock_guard<std::mutex> lock(free_mutex);
    if (FreeSlots().empty()) AddChunk();
    slot = FreeSlots().back();
    FreeSlots().pop_back();
  }
  slot->object = object.release();
  live_count.fetch_add(1, std::memory_order_relaxed);
  // release: pairs with the acquire in PinSlot(), which then sees the object.
  const uint64_t before = slot->state.fetch_and(~(kFreeBit | kClosedBit),
                                                std::memory_order_release);
  const uint64_t generation = before >> kGenerationShift;
  return static_cast<Handle>((generation << kGenerationShift) |
                             (uint64_t{slot->index} << 1) | 1);
}

HandleSlot* PinSlot(Handle handle) {
  const auto bits = static_cast<uint64_t>(handle);
  if ((bits & 1) == 0) return nullptr;
  HandleSlot* slot = SlotAt((bits >> 1) & kIndexMask);
  if (slot == nullptr) return nullptr;
  const uint64_t state = slot->state.fetch_add(1, std::memory_order_acquire);
  if (((state ^ bits) >> kGenerationShift) == 0 && (state & kClosedBit) == 0) {
    return slot;
  }
  UnpinSlot(slot);
  return nullptr;
}

void UnpinSlot(HandleSlot* slot) {
  const uint64_t before = slot->state.fetch_sub(1, std::memory_order_acq_rel);
  if ((before & (kClosedBit | kFreeBit)) == kClosedBit &&
      (before & kPinMask) == 1) {
    EndObject(slot, before - 1);
  }
}

bool CloseHandle(Handle handle) {
  HandleSlot* slot = PinSlot(handle);
  if (slot == nullptr) return false;
  const uint64_t before =
      slot->state.fetch_or(kClosedBit, std::memory_order_acq_rel);
  UnpinSlot(slot);
  return (before & kClosedBit) == 0;
}

int64_t LiveObjects() { return live_count.load(std::memory_order_relaxed); }

std::map<std::string, int64_t> OpenObjectsByType() {
  std::map<std::string, int64_t> counts;
  for (uint32_t chunk = 0; chunk < kMaxChunks; ++chunk) {
    HandleSlot* const slots = chunks[chunk].load(std::memory_order_acquire);
    if (slots == nullptr) break;
    for (uint32_t i = 0; i < kSlotsPerChunk; ++i) {
      HandleSlot* const slot = slots + i;
      // acquire: pairs with the release in Publish(), as in PinSlot().
      const uint64_t state =
          slot->state.fetch_add(1, std::memory_order_acquire);
      const char* const type =
          (state & kClosedBit) == 0 ? slot->object->Tag()->name : nullptr;
      UnpinSlot(slot);
      if (type != nullptr) ++counts[type];
    }
  }
  return counts;
}

}  // namespace ROCKSDB_NAMESPACE::jni
