#include "cache/clock_cache.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "rocksdb/advanced_cache.h"
#include "util/invariant.h"
#include "util/memory_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The charge of an entry where the options give no estimate.
constexpr size_t kUsualCharge = 8 << 10;
// The memory of one place.
constexpr size_t kSlotBytes = sizeof(ClockEntry) + sizeof(ClockState::Word);
// Places are made for a quarter more entries than there is room for.
constexpr size_t kSpareParts = 4;
// The part of a table's places that a small start has: 17 KiB for 32 MiB.
constexpr size_t kSmallStart = 64;
// Places that are made whether they are filled or not, 140 MB of them, where
// the capacity is beyond the memory there is: it stands for "no limit" then,
// and the table grows to what comes.
constexpr size_t kMostUsualSlots = size_t{1} << 20;
// Rounds of the hand until every clock has run out.
constexpr size_t kMaxRounds = 4;

size_t SlotsFor(size_t capacity, size_t entry_charge) {
  const size_t entries = capacity / std::max<size_t>(entry_charge, 1);
  return std::max<size_t>(entries + entries / kSpareParts, 64);
}

// The entries of the charge that is told need so many places.
size_t ToldSlots(const HyperClockCacheOptions& options) {
  const size_t charge = options.estimated_entry_charge != 0
                            ? options.estimated_entry_charge
                            : kUsualCharge;
  return SlotsFor(options.capacity, charge);
}

size_t UsualSlots(const HyperClockCacheOptions& options) {
  size_t most = kMostUsualSlots;
  if (options.capacity <= MemoryLimitOfProcess()) {
    most = std::max(most, SlotsFor(options.capacity, kUsualCharge));
  }
  return std::min(ToldSlots(options), most);
}

// Entries may turn out smaller than told.
size_t MaxSlots(const HyperClockCacheOptions& options, size_t capacity) {
  return std::max(ToldSlots(options),
                  SlotsFor(capacity, options.min_avg_entry_charge));
}

uint64_t FirstClock(Cache::Priority priority) {
  switch (priority) {
    case Cache::Priority::HIGH:
      return 3;
    case Cache::Priority::LOW:
      return 1;
    case Cache::Priority::BOTTOM:
      break;
  }
  return 0;
}

}  // namespace

ClockCache::ClockCache(const HyperClockCacheOptions& options,
                       std::shared_ptr<EvictionListener> listener, Start start)
    : EntryCache(options.memory_allocator, options.hash_seed,
                 std::move(listener)),
      options_(options),
      table_(UsualSlots(options) / (start == Start::kSmall ? kSmallStart : 1),
             UsualSlots(options), MaxSlots(options, options.capacity)),
      capacity_(options.capacity),
      is_strict_(options.strict_capacity_limit) {
  INVARIANT(ValidateSharding(options).ok());
}

ClockCache::~ClockCache() {
  if (is_disowned_) return;
  EraseUnRefEntries();
  // What is held now will be used after its cache is gone, and never freed.
  assert(usage_.load() == 0);
}

const char* ClockCache::Name() const {
  return options_.estimated_entry_charge != 0 ? "FixedHyperClockCache"
                                              : "AutoHyperClockCache";
}

size_t ClockCache::TotalCharge(const Item& item) const {
  if (options_.metadata_charge_policy != kFullChargeCacheMetadata) {
    return item.charge;
  }
  const size_t key_bytes =
      item.key.size() > ClockEntry::kInlineKeyBytes ? item.key.size() : 0;
  return item.charge + kSlotBytes + key_bytes;
}

// ---- Room ----

size_t ClockCache::TryEvict(ClockEntry* entry, Eviction kind) {
  uint64_t word = entry->state->load(std::memory_order_relaxed);
  if (ClockState::PhaseOf(word) != ClockState::kLive ||
      ClockState::Refs(word) != 0) {
    return 0;
  }
  if (kind == Eviction::kIfDue && ClockState::Clock(word) != 0) {
    // A thread that takes a reference meanwhile uses the entry: the exchange
    // fails, and the clock stays.
    entry->state->compare_exchange_strong(word, word - ClockState::kClockOne,
                                          std::memory_order_relaxed);
    return 0;
  }
  // acquire: pairs with the release of the last handle, whose holder may have
  // used the object until then.
  if (!entry->state->compare_exchange_strong(
          word, ClockState::kBusy * ClockState::kPhaseOne,
          std::memory_order_acquire, std::memory_order_relaxed)) {
    return 0;
  }
  return EvictBusy(entry, word, kind);
}

size_t ClockCache::EvictBusy(ClockEntry* entry, uint64_t word, Eviction kind) {
  assert(ClockState::PhaseOf(word) == ClockState::kLive);
  const size_t bytes = entry->total_charge;
  entry_count_.fetch_sub(1, std::memory_order_relaxed);
  if (listener_ != nullptr && kind != Eviction::kErase) {
    const bool was_hit = (word & ClockState::kEverHit) != 0;
    listener_->OnEvicted({entry->key(), entry->object, entry->helper, was_hit});
  }
  if (eviction_callback_ && kind != Eviction::kErase &&
      eviction_callback_(entry->key(), entry,
                         (word & ClockState::kEverHit) != 0)) {
    // The object is no longer the cache's to delete.
    entry->helper = &kNoopCacheItemHelper;
  }
  Vacate(entry);
  return std::max<size_t>(bytes, 1);
}

void ClockCache::Vacate(ClockEntry* entry) {
  assert(!entry->is_standalone);
  usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
  entry->Clear(memory_allocator());
  // release: pairs with the acquire of who claims the place next. References
  // taken in vain stay.
  entry->state->fetch_sub(ClockState::kPhaseOne, std::memory_order_release);
}

void ClockCache::Evict(size_t bytes) {
  const size_t slots = table_.slot_count();
  size_t freed = 0;
  // Held entries that are passed over cost time too.
  size_t pinned_budget =
      is_strict_.load(std::memory_order_relaxed)
          ? SIZE_MAX
          : static_cast<size_t>(std::max(options_.eviction_effort_cap, 1)) * 64;
  for (size_t step = 0; step < kMaxRounds * slots && freed < bytes; ++step) {
    const uint64_t index = hand_.fetch_add(1, std::memory_order_relaxed);
    ClockEntry* entry = table_.At(static_cast<size_t>(index % slots));
    freed += TryEvict(entry, Eviction::kIfDue);
    const uint64_t word = entry->state->load(std::memory_order_relaxed);
    if (ClockState::Refs(word) != 0 && --pinned_budget == 0) return;
  }
}

bool ClockCache::Reserve(size_t bytes, bool must_fit) {
  const size_t used =
      usage_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  const size_t capacity = capacity_.load(std::memory_order_relaxed);
  if (used <= capacity) return true;
  if (bytes <= capacity || !must_fit) Evict(used - capacity);
  if (!must_fit || usage_.load(std::memory_order_relaxed) <= capacity) {
    return true;
  }
  usage_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

ClockEntry* ClockCache::FindPlace(uint64_t hash) {
  ClockEntry* place = table_.Claim(hash);
  while (place == nullptr && table_.Grow()) place = table_.Claim(hash);
  if (place != nullptr) return place;
  // The table is as large as it may be: one of those in the way goes, first
  // one whose clock has run out.
  for (const Eviction kind : {Eviction::kIfDue, Eviction::kForced}) {
    bool has_room = false;
    table_.ForCandidates(hash, [&](ClockEntry* entry) {
      has_room = has_room || TryEvict(entry, kind) != 0;
    });
    if (has_room) place = table_.Claim(hash);
    if (place != nullptr) return place;
  }
  return nullptr;
}

// ---- Coming and going ----

void ClockCache::Fill(ClockEntry* entry, const Item& item,
                      size_t charged) const {
  entry->object = item.object;
  entry->helper = item.helper;
  entry->charge = item.charge;
  entry->total_charge = charged;
  entry->SetKey(item.key);
}

Cache::Handle* ClockCache::MakeStandalone(const Item& item, size_t charged) {
  auto made = std::make_unique<StandaloneClockEntry>();
  made->entry.state = &made->state;
  made->entry.is_standalone = true;
  Fill(&made->entry, item, charged);
  made->state.store(ClockState::kUnlinked * ClockState::kPhaseOne + 1);
  standalone_usage_.fetch_add(charged, std::memory_order_relaxed);
  // ReleaseRef() takes it back.
  return &made.release()->entry;
}

Status ClockCache::Insert(const Slice& key, ObjectPtr obj,
                          const CacheItemHelper* helper, size_t charge,
                          Handle** handle, Priority priority, const Slice&,
                          CompressionType) {
  assert(helper != nullptr);
  const Item item{key, obj, helper, charge};
  const uint64_t hash = hash_(key);
  const size_t total = TotalCharge(item);
  const bool is_strict = is_strict_.load(std::memory_order_relaxed);
  const bool fits = Reserve(total, handle == nullptr || is_strict);
  if (!fits && handle != nullptr) {
    return Status::MemoryLimit("Insert failed due to a full cache");
  }
  ClockEntry* place = fits ? FindPlace(hash) : nullptr;
  if (place == nullptr) {
    // There is no place for the entry: it counts as inserted and evicted at
    // once, so what it replaces must go, too.
    UnlinkAll(hash, key, nullptr);
    if (handle != nullptr) {
      *handle = MakeStandalone(item, total);
      return Status::OK();
    }
    if (fits) usage_.fetch_sub(total, std::memory_order_relaxed);
    if (helper->del_cb != nullptr) helper->del_cb(obj, memory_allocator());
    return Status::OK();
  }
  Fill(place, item, total);
  entry_count_.fetch_add(1, std::memory_order_relaxed);
  // release: pairs with the acquire of the lookup that finds it. One reference
  // stays until what the entry replaces is gone, and goes on to the caller.
  place->state->fetch_add((ClockState::TagOf(hash) << ClockState::kTagShift) +
                              ClockState::kPhaseOne +
                              FirstClock(priority) * ClockState::kClockOne + 1,
                          std::memory_order_release);
  UnlinkAll(hash, key, place);
  if (handle != nullptr) {
    *handle = place;
  } else {
    ReleaseRef(place);
  }
  return Status::OK();
}

Cache::Handle* ClockCache::CreateStandalone(const Slice& key, ObjectPtr obj,
                                            const CacheItemHelper* helper,
                                            size_t charge,
                                            bool allow_uncharged) {
  Item item{key, obj, helper, charge};
  size_t total = TotalCharge(item);
  if (!Reserve(total, is_strict_.load(std::memory_order_relaxed))) {
    if (!allow_uncharged) return nullptr;
    item.charge = 0;
    total = 0;
  }
  return MakeStandalone(item, total);
}

Cache::Handle* ClockCache::Lookup(const Slice& key, const CacheItemHelper*,
                                  CreateContext*, Priority, Statistics*) {
  ClockEntry* entry =
      table_.Find(hash_(key), key, nullptr,
                  [this](ClockEntry* other) { ReleaseRef(other); });
  if (entry == nullptr) return nullptr;
  // Once it is high, hits leave it alone.
  const uint64_t word = entry->state->load(std::memory_order_relaxed);
  if ((word & ClockState::kClockHit) == 0) {
    entry->state->fetch_or(ClockState::kClockHit | ClockState::kEverHit,
                           std::memory_order_relaxed);
  }
  return entry;
}

bool ClockCache::Ref(Handle* handle) {
  const uint64_t before =
      EntryOf(handle)->state->fetch_add(1, std::memory_order_relaxed);
  INVARIANT(ClockState::Refs(before) > 0);
  return true;
}

// Also of a reference that was taken in vain, whatever the place is by now.
bool ClockCache::ReleaseRef(ClockEntry* entry) {
  // acq_rel: who frees the object must see all that other holders did.
  uint64_t word = entry->state->fetch_sub(1, std::memory_order_acq_rel);
  assert(ClockState::Refs(word) > 0);
  --word;
  if (ClockState::Refs(word) != 0 ||
      ClockState::PhaseOf(word) != ClockState::kUnlinked) {
    return false;
  }
  if (entry->is_standalone) {
    usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
    standalone_usage_.fetch_sub(entry->total_charge, std::memory_order_relaxed);
    entry->Clear(memory_allocator());
    // The entry is the first member, of which MakeStandalone() let go.
    const std::unique_ptr<StandaloneClockEntry> last(
        reinterpret_cast<StandaloneClockEntry*>(entry));
    return true;
  }
  // If a reference came in vain meanwhile, who gives it back frees the entry.
  if (!entry->state->compare_exchange_strong(
          word, ClockState::kBusy * ClockState::kPhaseOne,
          std::memory_order_acquire, std::memory_order_relaxed)) {
    return false;
  }
  Vacate(entry);
  return true;
}

// The caller holds a reference.
void ClockCache::Unlink(ClockEntry* entry) {
  const uint64_t before =
      entry->state->fetch_or(ClockState::kPhaseOne, std::memory_order_relaxed);
  assert(ClockState::Refs(before) > 0);
  if (ClockState::PhaseOf(before) == ClockState::kLive) {
    entry_count_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void ClockCache::UnlinkAll(uint64_t hash, const Slice& key,
                           const ClockEntry* except) {
  const auto release = [this](ClockEntry* other) { ReleaseRef(other); };
  for (;;) {
    ClockEntry* entry = table_.Find(hash, key, except, release);
    if (entry == nullptr) return;
    Unlink(entry);
    ReleaseRef(entry);
  }
}

bool ClockCache::Release(Handle* handle, bool erase_if_last_ref) {
  ClockEntry* entry = EntryOf(handle);
  if (erase_if_last_ref) [[unlikely]] {
    const uint64_t word = entry->state->load(std::memory_order_relaxed);
    if (ClockState::Refs(word) == 1 &&
        ClockState::PhaseOf(word) == ClockState::kLive) {
      Unlink(entry);
    }
  } else if (usage_.load(std::memory_order_relaxed) >
             capacity_.load(std::memory_order_relaxed)) [[unlikely]] {
    return ReleaseForRoom(entry);
  }
  return ReleaseRef(entry);
}

bool ClockCache::ReleaseForRoom(ClockEntry* entry) {
  uint64_t word = entry->state->load(std::memory_order_relaxed);
  while (ClockState::Refs(word) == 1 &&
         ClockState::PhaseOf(word) == ClockState::kLive) {
    // acquire: as in TryEvict(). The caller's own reference goes with it.
    if (entry->state->compare_exchange_weak(
            word, ClockState::kBusy * ClockState::kPhaseOne,
            std::memory_order_acquire, std::memory_order_relaxed)) {
      EvictBusy(entry, word, Eviction::kForced);
      return true;
    }
  }
  return ReleaseRef(entry);
}

void ClockCache::Erase(const Slice& key) {
  UnlinkAll(hash_(key), key, nullptr);
}

void ClockCache::EraseUnRefEntries() {
  for (size_t i = 0; i < table_.slot_count(); ++i) {
    TryEvict(table_.At(i), Eviction::kErase);
  }
}

// ---- Settings and figures ----

void ClockCache::SetCapacity(size_t capacity) {
  capacity_.store(capacity, std::memory_order_relaxed);
  table_.SetMaxSlots(MaxSlots(options_, capacity));
  const size_t used = usage_.load(std::memory_order_relaxed);
  if (used > capacity) Evict(used - capacity);
}

void ClockCache::SetStrictCapacityLimit(bool strict_capacity_limit) {
  is_strict_.store(strict_capacity_limit, std::memory_order_relaxed);
}

bool ClockCache::HasStrictCapacityLimit() const {
  return is_strict_.load(std::memory_order_relaxed);
}

size_t ClockCache::GetOccupancyCount() const {
  return entry_count_.load(std::memory_order_relaxed);
}

size_t ClockCache::GetTableAddressCount() const { return table_.slot_count(); }

size_t ClockCache::GetCapacity() const {
  return capacity_.load(std::memory_order_relaxed);
}

size_t ClockCache::GetUsage() const {
  return usage_.load(std::memory_order_relaxed);
}

size_t ClockCache::GetPinnedUsage() const {
  size_t pinned = standalone_usage_.load(std::memory_order_relaxed);
  for (size_t i = 0; i < table_.slot_count(); ++i) {
    ClockEntry* entry = table_.At(i);
    if (ClockState::Refs(entry->state->load(std::memory_order_relaxed)) == 0) {
      continue;
    }
    // acquire: as in ClockTable::Find().
    const uint64_t word = entry->state->fetch_add(1, std::memory_order_acquire);
    if (ClockState::Refs(word) > 0 &&
        ClockState::PhaseOf(word) >= ClockState::kLive) {
      pinned += entry->total_charge;
    }
    // Giving a reference back changes nothing that a reader of figures sees.
    const_cast<ClockCache*>(this)->ReleaseRef(entry);
  }
  return pinned;
}

void ClockCache::ApplyToAllEntries(const EntryCallback& callback,
                                   const ApplyToAllEntriesOptions&) {
  for (size_t i = 0; i < table_.slot_count(); ++i) {
    ClockEntry* entry = table_.At(i);
    if (ClockState::PhaseOf(entry->state->load(std::memory_order_relaxed)) !=
        ClockState::kLive) {
      continue;
    }
    // acquire: as in ClockTable::Find().
    const uint64_t word = entry->state->fetch_add(1, std::memory_order_acquire);
    if (ClockState::PhaseOf(word) == ClockState::kLive) {
      Tell(*entry, callback);
    }
    ReleaseRef(entry);
  }
}

std::string ClockCache::GetPrintableOptions() const {
  return "    capacity : " + std::to_string(GetCapacity()) +
         "\n    strict_capacity_limit : " +
         (HasStrictCapacityLimit() ? "1" : "0") +
         "\n    estimated_entry_charge : " +
         std::to_string(options_.estimated_entry_charge) +
         "\n    min_avg_entry_charge : " +
         std::to_string(options_.min_avg_entry_charge) +
         "\n    eviction_effort_cap : " +
         std::to_string(options_.eviction_effort_cap) + "\n";
}

std::shared_ptr<Cache> NewOwnBlockCache(size_t capacity) {
  return std::make_shared<ClockCache>(HyperClockCacheOptions(capacity, 0),
                                      nullptr, ClockCache::Start::kSmall);
}

}  // namespace ROCKSDB_NAMESPACE
