// ReadPort: entities of which large columns are read later.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "db/lookup/many_keys.h"
#include "db/read/lazy_blobs.h"
#include "db/read/lazy_entity.h"
#include "db/registry/family_handle.h"
#include "rocksdb/lazy_wide_columns.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status ReadPort::Attach(const ReadOptions& options, SuperVersion* state,
                        LazyEntity* entity,
                        std::shared_ptr<const LazyBlobs>* blobs) {
  INVARIANT(state != nullptr && entity != nullptr && blobs != nullptr);
  if (!entity->RefersToBlobs()) return entity->Index(nullptr);
  if (*blobs == nullptr) {
    // Whoever releases the state last may have files to delete, so the option
    // for iterators applies here, too.
    const CleanUp clean_up = options.background_purge_on_iterator_cleanup
                                 ? CleanUp::kInBackground
                                 : CleanUp::kHere;
    std::shared_ptr<SuperVersion> kept(
        state->Ref(),
        [this, clean_up](SuperVersion* last) { GiveBack(last, clean_up); });
    *blobs = std::make_shared<const LazyBlobs>(std::move(kept), options);
  }
  return entity->Index(*blobs);
}

void ReadPort::AttachAll(const ReadOptions& options, SuperVersion* state,
                         ManyKeys* keys) {
  std::shared_ptr<const LazyBlobs> blobs;
  for (size_t i = 0; i < keys->count; ++i) {
    Status& s = keys->statuses[i];
    if (!s.ok()) continue;
    const Status attached = Attach(options, state, keys->lazy[i].get(), &blobs);
    // An OK of the lookup may say more (merge_operand_count_threshold).
    if (!attached.ok()) s = attached;
  }
}

void ReadPort::GetManyLazy(const ReadOptions& options, ManyKeys* keys,
                           LazyWideColumnsBatch* result) {
  INVARIANT(keys != nullptr);
  if (keys->statuses == nullptr) return;
  if (result == nullptr) {
    std::fill(keys->statuses, keys->statuses + keys->count,
              Status::InvalidArgument("result is null"));
    return;
  }
  result->Reset();
  std::vector<std::unique_ptr<LazyEntity>> entities(keys->count);
  for (auto& entity : entities) entity = std::make_unique<LazyEntity>();
  keys->lazy = entities.data();
  GetMany(options, keys);
  std::vector<LazyWideColumns> columns(keys->count);
  for (size_t i = 0; i < keys->count; ++i) {
    if (!keys->statuses[i].ok()) continue;
    columns[i] = LazyWideColumns(std::move(entities[i]));
  }
  *result = LazyWideColumnsBatch(std::move(columns));
}

}  // namespace ROCKSDB_NAMESPACE
