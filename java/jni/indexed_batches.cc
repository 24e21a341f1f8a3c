// IndexedBatches: batches that can be read before they are written.
#include "java/jni/database.h"
#include "java/jni/updates.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

using Indexed = WriteBatchWithIndex;

class IndexedObject : public Object {
 public:
  static constexpr TypeTag kTag{"WriteBatchWithIndex", nullptr};
  IndexedObject(std::shared_ptr<Indexed> batch,
                std::shared_ptr<const Comparator> order)
      : rep(std::move(batch)), kept_order(std::move(order)) {}
  const TypeTag* Tag() const override { return &kTag; }

  std::shared_ptr<Indexed> rep;
  std::shared_ptr<const Comparator> kept_order;
};

Status AddIndexed(jlong handle, jlong family, jint operation, const Slice& key,
                  const Slice& value) {
  Pin<IndexedObject> batch(handle);
  Pin<Family> pin(family, true);
  Indexed& updates = *batch->rep;
  if (pin) {
    ColumnFamilyHandle* cf = pin->rep;
    switch (static_cast<Update>(operation)) {
      case Update::kPut:
        return updates.Put(cf, key, value);
      case Update::kMerge:
        return updates.Merge(cf, key, value);
      case Update::kDelete:
        return updates.Delete(cf, key);
      case Update::kSingleDelete:
        return updates.SingleDelete(cf, key);
      case Update::kDeleteRange:
        return updates.DeleteRange(cf, key, value);
    }
  }
  switch (static_cast<Update>(operation)) {
    case Update::kPut:
      return updates.Put(key, value);
    case Update::kMerge:
      return updates.Merge(key, value);
    case Update::kDelete:
      return updates.Delete(key);
    case Update::kSingleDelete:
      return updates.SingleDelete(key);
    case Update::kDeleteRange:
      return updates.DeleteRange(key, value);
  }
  return Status::InvalidArgument("no such update");
}

}  // namespace

NATIVE(jlong, IndexedBatches, create, jlong comparator, jint reserved,
       jboolean overwrite_key) {
  return Run(env, [&]() -> jlong {
    if (reserved < 0) {
      Fail(Wrong::kArgument, "reserved bytes are less than 0");
    }
    Pin<Shared<const Comparator>> order(comparator, true);
    return PublishNew<IndexedObject>(
        std::make_shared<Indexed>(
            order ? order->rep.get() : BytewiseComparator(),
            static_cast<size_t>(reserved), overwrite_key != JNI_FALSE),
        order ? order->rep : nullptr);
  });
}

NATIVE(jlong, IndexedBatches, batch, jlong indexed) {
  return Run(env, [&]() -> jlong {
    Pin<IndexedObject> pin(indexed);
    return PublishNew<BatchObject>(pin->rep->GetWriteBatch(), pin->rep);
  });
}

NATIVE(void, IndexedBatches, update, jlong indexed, jlong family,
       jint operation, jbyteArray key, jint offset, jint size, jbyteArray value,
       jint value_offset, jint value_size) {
  Run(env, [&] {
    const ArrayBytes first(env, key, offset, size);
    if (value == nullptr) {
      Check(AddIndexed(indexed, family, operation, first.slice(), Slice()));
      return;
    }
    const ArrayBytes second(env, value, value_offset, value_size);
    Check(
        AddIndexed(indexed, family, operation, first.slice(), second.slice()));
  });
}

NATIVE(void, IndexedBatches, updateDirect, jlong indexed, jlong family,
       jint operation, jlong key, jint size, jlong value, jint value_size) {
  Run(env, [&] {
    Check(AddIndexed(indexed, family, operation, Direct(key, size),
                     Direct(value, value_size)));
  });
}

NATIVE(void, IndexedBatches, putLogData, jlong indexed, jbyteArray blob) {
  Run(env, [&] {
    Check(Pin<IndexedObject>(indexed)->rep->PutLogData(BytesOf(env, blob)));
  });
}

NATIVE(void, IndexedBatches, clear, jlong indexed) {
  Run(env, [&] { Pin<IndexedObject>(indexed)->rep->Clear(); });
}

NATIVE(void, IndexedBatches, setSavePoint, jlong indexed) {
  Run(env, [&] { Pin<IndexedObject>(indexed)->rep->SetSavePoint(); });
}

NATIVE(void, IndexedBatches, rollbackToSavePoint, jlong indexed) {
  Run(env,
      [&] { Check(Pin<IndexedObject>(indexed)->rep->RollbackToSavePoint()); });
}

NATIVE(void, IndexedBatches, popSavePoint, jlong indexed) {
  Run(env, [&] { Check(Pin<IndexedObject>(indexed)->rep->PopSavePoint()); });
}

NATIVE(void, IndexedBatches, setMaxBytes, jlong indexed, jlong bytes) {
  Run(env, [&] {
    Pin<IndexedObject>(indexed)->rep->SetMaxBytes(static_cast<size_t>(bytes));
  });
}

NATIVE(jlong, IndexedBatches, iteratorWithBase, jlong indexed, jlong family,
       jlong base, jlong read) {
  return Run(env, [&]() -> jlong {
    Pin<IndexedObject> pin(indexed);
    Pin<IteratorObject> below(base);
    FamilyOf cf(*below->open, family);
    ReadSettings settings(read);
    if (below->rep == nullptr) {
      Fail(Wrong::kState, "the iterator belongs to another one");
    }
    auto object =
        std::make_unique<IteratorObject>(below->open, below->kept_read);
    object->source = pin->rep;
    object->rep.reset(pin->rep->NewIteratorWithBase(
        cf, below->rep.release(), settings.object() ? &*settings : nullptr));
    const Handle made = Child::Publish(std::move(object));
    // What it was is part of the new one now.
    CloseHandle(base);
    return made;
  });
}

NATIVE(jbyteArray, IndexedBatches, get, jlong indexed, jlong family,
       jlong options, jbyteArray key) {
  return Run(env, [&]() -> jbyteArray {
    Pin<IndexedObject> pin(indexed);
    Pin<Family> cf(family, true);
    PinStruct<DBOptions> settings(options);
    const std::string wanted = BytesOf(env, key);
    std::string value;
    const Status status =
        cf ? pin->rep->GetFromBatch(cf->rep, *settings, wanted, &value)
           : pin->rep->GetFromBatch(*settings, wanted, &value);
    if (status.IsNotFound()) return nullptr;
    Check(status);
    return NewArray(env, value);
  });
}

NATIVE(jbyteArray, IndexedBatches, getWithDatabase, jlong indexed,
       jlong database, jlong family, jlong read, jbyteArray key) {
  return Run(env, [&]() -> jbyteArray {
    Pin<IndexedObject> pin(indexed);
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    ReadSettings settings(read);
    std::string value;
    const Status status = pin->rep->GetFromBatchAndDB(
        db->db(), *settings, cf, BytesOf(env, key), &value);
    if (status.IsNotFound()) return nullptr;
    Check(status);
    return NewArray(env, value);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
