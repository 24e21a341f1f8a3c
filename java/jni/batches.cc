// Batches: updates that are written together.
#include "java/jni/database.h"
#include "java/jni/java_machine.h"
#include "java/jni/updates.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

Status Add(jlong handle, jlong family, jint operation, const Slice& key,
           const Slice& value) {
  Pin<BatchObject> batch(handle);
  Pin<Family> pin(family, true);
  ColumnFamilyHandle* cf = pin ? pin->rep : nullptr;
  WriteBatch& updates = *batch->rep;
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
  return Status::InvalidArgument("no such update");
}

// Shows the records of a batch to a WriteBatch.Handler of Java's. What that
// throws ends the iteration, and leaves iterate() as it is.
class RecordTeller : public WriteBatch::Handler {
 public:
  RecordTeller(JNIEnv* env, jobject handler) : env_(env), handler_(handler) {}

  Status PutCF(uint32_t cf, const Slice& key, const Slice& value) override {
    return Tell(0, cf, key, value);
  }
  Status MergeCF(uint32_t cf, const Slice& key, const Slice& value) override {
    return Tell(1, cf, key, value);
  }
  Status DeleteCF(uint32_t cf, const Slice& key) override {
    return Tell(2, cf, key, Slice());
  }
  Status SingleDeleteCF(uint32_t cf, const Slice& key) override {
    return Tell(3, cf, key, Slice());
  }
  Status DeleteRangeCF(uint32_t cf, const Slice& begin,
                       const Slice& end) override {
    return Tell(4, cf, begin, end);
  }
  Status PutBlobIndexCF(uint32_t cf, const Slice& key,
                        const Slice& value) override {
    return Tell(5, cf, key, value);
  }
  void LogData(const Slice& blob) override { TellLast(6, blob, Slice()); }
  Status MarkBeginPrepare(bool) override { return Tell(7, 0, "", ""); }
  Status MarkEndPrepare(const Slice& xid) override {
    return Tell(8, 0, xid, "");
  }
  Status MarkNoop(bool empty_batch) override {
    return Tell(9, empty_batch ? 1 : 0, "", "");
  }
  Status MarkRollback(const Slice& xid) override {
    return Tell(10, 0, xid, "");
  }
  Status MarkCommit(const Slice& xid) override { return Tell(11, 0, xid, ""); }
  Status MarkCommitWithTimestamp(const Slice& xid,
                                 const Slice& timestamp) override {
    return Tell(12, 0, xid, timestamp);
  }
  bool Continue() override {
    if (env_->ExceptionCheck()) return false;
    const bool goes_on = env_->CallStaticBooleanMethod(
                             Classes().callbacks, Classes().batch_continues,
                             handler_) != JNI_FALSE;
    return goes_on && !env_->ExceptionCheck();
  }

 private:
  Status Tell(int event, uint32_t family, const Slice& first,
              const Slice& second) {
    if (env_->ExceptionCheck()) return Status::Aborted();
    LocalFrame frame(env_);
    env_->CallStaticVoidMethod(Classes().callbacks, Classes().batch_event,
                               handler_, static_cast<jint>(event),
                               static_cast<jint>(family), NewArray(env_, first),
                               NewArray(env_, second));
    return env_->ExceptionCheck() ? Status::Aborted() : Status::OK();
  }
  void TellLast(int event, const Slice& first, const Slice& second) {
    const Status status = Tell(event, 0, first, second);
    (void)status.ok();  // Continue() sees the exception.
  }

  JNIEnv* env_;
  jobject handler_;
};

// The numbers of Batches.java.
bool Has(const WriteBatch& batch, jint what) {
  switch (what) {
    case 0:
      return batch.HasPut();
    case 1:
      return batch.HasMerge();
    case 2:
      return batch.HasDelete();
    case 3:
      return batch.HasSingleDelete();
    case 4:
      return batch.HasDeleteRange();
    case 5:
      return batch.HasBeginPrepare();
    case 6:
      return batch.HasEndPrepare();
    case 7:
      return batch.HasCommit();
    case 8:
      return batch.HasRollback();
    default:
      Fail(Wrong::kArgument, "no such kind of records");
  }
}

}  // namespace

NATIVE(jlong, Batches, create, jint reserved) {
  return Run(env, [&]() -> jlong {
    if (reserved < 0) {
      Fail(Wrong::kArgument, "reserved bytes are less than 0");
    }
    return PublishNew<BatchObject>(
        WriteBatch(static_cast<size_t>(reserved), 0));
  });
}

NATIVE(jlong, Batches, createFrom, jbyteArray bytes) {
  return Run(env, [&]() -> jlong {
    return PublishNew<BatchObject>(WriteBatch(BytesOf(env, bytes)));
  });
}

NATIVE(void, Batches, update, jlong batch, jlong family, jint operation,
       jbyteArray key, jint offset, jint size, jbyteArray value,
       jint value_offset, jint value_size) {
  Run(env, [&] {
    const ArrayBytes first(env, key, offset, size);
    if (value == nullptr) {
      Check(Add(batch, family, operation, first.slice(), Slice()));
      return;
    }
    const ArrayBytes second(env, value, value_offset, value_size);
    Check(Add(batch, family, operation, first.slice(), second.slice()));
  });
}

NATIVE(void, Batches, updateDirect, jlong batch, jlong family, jint operation,
       jlong key, jint size, jlong value, jint value_size) {
  Run(env, [&] {
    Check(Add(batch, family, operation, Direct(key, size),
              Direct(value, value_size)));
  });
}

NATIVE(void, Batches, putLogData, jlong batch, jbyteArray blob) {
  Run(env, [&] {
    Check(Pin<BatchObject>(batch)->rep->PutLogData(BytesOf(env, blob)));
  });
}

NATIVE(jint, Batches, count, jlong batch) {
  return Run(env, [&]() -> jint {
    return static_cast<jint>(Pin<BatchObject>(batch)->rep->Count());
  });
}

NATIVE(void, Batches, clear, jlong batch) {
  Run(env, [&] { Pin<BatchObject>(batch)->whole->Clear(); });
}

NATIVE(void, Batches, setSavePoint, jlong batch) {
  Run(env, [&] { Pin<BatchObject>(batch)->rep->SetSavePoint(); });
}

NATIVE(void, Batches, rollbackToSavePoint, jlong batch) {
  Run(env,
      [&] { Check(Pin<BatchObject>(batch)->whole->RollbackToSavePoint()); });
}

NATIVE(void, Batches, popSavePoint, jlong batch) {
  Run(env, [&] { Check(Pin<BatchObject>(batch)->rep->PopSavePoint()); });
}

NATIVE(void, Batches, setMaxBytes, jlong batch, jlong bytes) {
  Run(env, [&] {
    Pin<BatchObject>(batch)->rep->SetMaxBytes(static_cast<size_t>(bytes));
  });
}

NATIVE(jbyteArray, Batches, data, jlong batch) {
  return Run(
      env, [&] { return NewArray(env, Pin<BatchObject>(batch)->rep->Data()); });
}

NATIVE(jlong, Batches, dataSize, jlong batch) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(Pin<BatchObject>(batch)->rep->GetDataSize());
  });
}

NATIVE(jboolean, Batches, has, jlong batch, jint what) {
  return Run(env, [&]() -> jboolean {
    return Has(*Pin<BatchObject>(batch)->rep, what);
  });
}

NATIVE(void, Batches, markWalTerminationPoint, jlong batch) {
  Run(env, [&] { Pin<BatchObject>(batch)->rep->MarkWalTerminationPoint(); });
}

// The kinds of entries. What the engine marks itself with is above.
constexpr uint32_t kKindsOfEntries = (1 << 28) - 1;

NATIVE(jlongArray, Batches, walTerminationPoint, jlong batch) {
  return Run(env, [&] {
    const SavePoint& point =
        Pin<BatchObject>(batch)->rep->GetWalTerminationPoint();
    return NewLongs(env, {static_cast<int64_t>(point.size),
                          static_cast<int64_t>(point.count),
                          point.content_flags & kKindsOfEntries});
  });
}

NATIVE(void, Batches, iterate, jlong batch, jobject handler) {
  Run(env, [&] {
    Pin<BatchObject> pin(batch);
    if (handler == nullptr) Fail(Wrong::kNull, "the handler is null");
    RecordTeller teller(env, handler);
    const Status status = pin->rep->Iterate(&teller);
    if (env->ExceptionCheck()) throw JavaThrew{};
    Check(status);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
