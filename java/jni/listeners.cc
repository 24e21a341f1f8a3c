// Listeners, filters and factories of Java's.
#include <atomic>
#include <cstdio>
#include <stdexcept>

#include "java/jni/database.h"
#include "java/jni/java_machine.h"
#include "java/jni/lent_objects.h"
#include "java/jni/packing.h"
#include "java/jni/slices.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/listener.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of AbstractEventListener.EnabledEventCallback.
enum Event {
  kFlushCompleted,
  kFlushBegin,
  kTableFileDeleted,
  kCompactionBegin,
  kCompactionCompleted,
  kTableFileCreated,
  kTableFileCreationStarted,
  kMemTableSealed,
  kHandleDeletion,
  kFileIngested,
  kBackgroundError,
  kStallConditions,
  kFileRead,
  kFileWrite,
  kFileFlush,
  kFileSync,
  kFileRangeSync,
  kFileTruncate,
  kFileClose,
  kWantsFileEvents,
  kRecoveryBegin,
  kRecoveryCompleted
};

void PackBrief(Packer& out, const TableFileCreationBriefInfo& info) {
  out.Text(info.db_name);
  out.Text(info.cf_name);
  out.Text(info.file_path);
  out.Int(info.job_id);
  out.Enum(info.reason);
}

// The copy belongs to Java.
void Pack(Packer& out, const CompactionJobInfo& info) {
  out.Long(PublishNew<Value<CompactionJobInfo>>(std::in_place, info));
}

// Tells Java of the events that it asked for. What a listener throws is
// logged once and passed over: the engine has done its work, and goes on.
class JavaListener : public EventListener {
 public:
  JavaListener(JNIEnv* env, jobject listener, int64_t enabled)
      : object_(env, listener), enabled_(enabled) {}

  void OnFlushCompleted(DB* db, const FlushJobInfo& info) override {
    TellOf(kFlushCompleted, info, db);
  }
  void OnFlushBegin(DB* db, const FlushJobInfo& info) override {
    TellOf(kFlushBegin, info, db);
  }
  void OnTableFileDeleted(const TableFileDeletionInfo& info) override {
    TellOf(kTableFileDeleted, info);
  }
  void OnCompactionBegin(DB* db, const CompactionJobInfo& info) override {
    TellOf(kCompactionBegin, info, db);
  }
  void OnCompactionCompleted(DB* db, const CompactionJobInfo& info) override {
    TellOf(kCompactionCompleted, info, db);
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    if (!Wants(kTableFileCreated)) return;
    Packer out;
    out.Long(info.file_size);
    Pack(out, info.table_properties);
    out.Status(info.status);
    PackBrief(out, info);
    Tell(kTableFileCreated, out);
  }
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    if (!Wants(kTableFileCreationStarted)) return;
    Packer out;
    PackBrief(out, info);
    Tell(kTableFileCreationStarted, out);
  }
  void OnMemTableSealed(const MemTableInfo& info) override {
    TellOf(kMemTableSealed, info);
  }
  void OnColumnFamilyHandleDeletionStarted(
      ColumnFamilyHandle* handle) override {
    if (!Wants(kHandleDeletion)) return;
    const std::shared_ptr<OpenDatabase> open =
        FamilyRelease::DatabaseOf(handle);
    const LentDatabase database(open);
    const LentFamily family(open, handle);
    Packer out;
    out.Long(family.get());
    Tell(kHandleDeletion, out, database.get());
  }
  void OnExternalFileIngested(DB* db,
                              const ExternalFileIngestionInfo& info) override {
    TellOf(kFileIngested, info, db);
  }
  void OnBackgroundError(BackgroundErrorReason reason,
                         Status* status) override {
    if (!Wants(kBackgroundError)) return;
    Packer out;
    out.Enum(reason);
    out.Status(*status);
    Tell(kBackgroundError, out);
  }
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    TellOf(kStallConditions, info);
  }
  void OnFileReadFinish(const FileOperationInfo& info) override {
    TellOf(kFileRead, info);
  }
  void OnFileWriteFinish(const FileOperationInfo& info) override {
    TellOf(kFileWrite, info);
  }
  void OnFileFlushFinish(const FileOperationInfo& info) override {
    TellOf(kFileFlush, info);
  }
  void OnFileSyncFinish(const FileOperationInfo& info) override {
    TellOf(kFileSync, info);
  }
  void OnFileRangeSyncFinish(const FileOperationInfo& info) override {
    TellOf(kFileRangeSync, info);
  }
  void OnFileTruncateFinish(const FileOperationInfo& info) override {
    TellOf(kFileTruncate, info);
  }
  void OnFileCloseFinish(const FileOperationInfo& info) override {
    TellOf(kFileClose, info);
  }
  bool ShouldBeNotifiedOnFileIO() override {
    return Wants(kWantsFileEvents) &&
           Tell(kWantsFileEvents, Packer(), 0, false);
  }
  void OnErrorRecoveryBegin(BackgroundErrorReason reason, Status error,
                            bool* auto_recovery) override {
    if (!Wants(kRecoveryBegin)) return;
    Packer out;
    out.Enum(reason);
    out.Status(error);
    if (!Tell(kRecoveryBegin, out)) *auto_recovery = false;
  }
  void OnErrorRecoveryCompleted(Status error) override {
    if (!Wants(kRecoveryCompleted)) return;
    Packer out;
    out.Status(error);
    Tell(kRecoveryCompleted, out);
  }

 private:
  bool Wants(Event event) const { return (enabled_ >> event & 1) != 0; }

  template <class Info>
  void TellOf(Event event, const Info& info, DB* db) {
    // The thread is attached before it may have the last reference to the
    // database, so that it is known for one of the engine's.
    if (!Wants(event) || AttachedThread() == nullptr) return;
    const LentDatabase database(FindOpen(db));
    Packer out;
    Pack(out, info);
    Tell(event, out, database.get(), true, db);
  }
  template <class Info>
  void TellOf(Event event, const Info& info) {
    if (!Wants(event)) return;
    Packer out;
    Pack(out, info);
    Tell(event, out);
  }

  // What Java answers; `otherwise` if it cannot. `db` is null where the event
  // does not say which it is.
  bool Tell(Event event, const Packer& packed, Handle database = 0,
            bool otherwise = true, DB* db = nullptr) {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return otherwise;
    LocalFrame frame(env);
    const jboolean answer = env->CallStaticBooleanMethod(
        Classes().callbacks, Classes().on_event, object_.get(),
        static_cast<jint>(event), database, NewArray(env, packed.bytes()));
    if (env->ExceptionCheck()) {
      PassOver(TakeException(env, false), db);
      return otherwise;
    }
    return answer != JNI_FALSE;
  }

  // The first exception is logged, where there is a log.
  void PassOver(const std::string& thrown, DB* db) {
    if (has_thrown_.exchange(true)) return;
    const std::shared_ptr<Logger> log =
        db != nullptr ? db->GetDBOptions().info_log : nullptr;
    if (log != nullptr) {
      Warn(log, "a listener threw, which is passed over: %s", thrown.c_str());
    } else {
      std::fprintf(stderr, "a listener threw, which is passed over: %s\n",
                   thrown.c_str());
    }
  }

  JavaObject object_;
  const int64_t enabled_;
  std::atomic<bool> has_thrown_{false};
};

// A filter of Java's that belongs to one compaction.
class KeptFilter : public CompactionFilter {
 public:
  explicit KeptFilter(std::shared_ptr<const CompactionFilter> filter)
      : filter_(std::move(filter)) {}
  const char* Name() const override { return filter_->Name(); }
  bool IgnoreSnapshots() const override { return filter_->IgnoreSnapshots(); }
  Decision FilterV3(
      int level, const Slice& key, ValueType type, const Slice* value,
      const WideColumns* columns, std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until) const override {
    return filter_->FilterV3(level, key, type, value, columns, new_value,
                             new_columns, skip_until);
  }

 private:
  std::shared_ptr<const CompactionFilter> filter_;
};

class JavaFilterFactory : public CompactionFilterFactory {
 public:
  JavaFilterFactory(JNIEnv* env, jobject factory, std::string name)
      : object_(env, factory), name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }

  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return nullptr;
    LocalFrame frame(env);
    const jlong handle = env->CallStaticLongMethod(
        Classes().callbacks, Classes().create_filter, object_.get(),
        static_cast<jboolean>(context.is_full_compaction),
        static_cast<jboolean>(context.is_manual_compaction));
    if (env->ExceptionCheck()) {
      // The engine makes a failed compaction of it.
      throw std::runtime_error(TakeException(env, true));
    }
    if (handle == 0) return nullptr;
    auto filter = std::make_unique<KeptFilter>(
        Pin<Shared<const CompactionFilter>>(handle)->rep);
    CloseHandle(handle);
    return filter;
  }

 private:
  JavaObject object_;
  std::string name_;
};

// An exception of Java's fails the read: it is thrown when that returns.
TableFilterFunction TableFilterOf(JNIEnv* env, jobject filter) {
  auto object = std::make_shared<JavaObject>(env, filter);
  return [object](const TableProperties& properties) {
    JNIEnv* thread = AttachedThread();
    if (thread == nullptr || thread->ExceptionCheck()) return true;
    LocalFrame frame(thread);
    Packer out;
    Pack(out, properties);
    const jboolean is_read = thread->CallStaticBooleanMethod(
        Classes().callbacks, Classes().filter_table, object->get(),
        NewArray(thread, out.bytes()));
    if (thread->ExceptionCheck()) {
      TakeException(thread, true);
      return true;
    }
    return is_read != JNI_FALSE;
  };
}

class JavaWalFilter : public WalFilter {
 public:
  JavaWalFilter(JNIEnv* env, jobject filter, std::string name)
      : object_(env, filter), name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }

  void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& logs,
      const std::map<std::string, uint32_t>& names) override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return;
    LocalFrame frame(env);
    Packer out;
    out.Int(logs.size());
    for (const auto& [family, log] : logs) {
      out.Int(family);
      out.Long(log);
    }
    out.Int(names.size());
    for (const auto& [name, family] : names) {
      out.Text(name);
      out.Int(family);
    }
    env->CallStaticVoidMethod(Classes().callbacks, Classes().wal_families,
                              object_.get(), NewArray(env, out.bytes()));
    if (env->ExceptionCheck()) TakeException(env, true);
  }

  WalProcessingOption LogRecordFound(unsigned long long log,
                                     const std::string& file,
                                     const WriteBatch& batch,
                                     WriteBatch* new_batch,
                                     bool* is_changed) override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return kFailed;
    // ColumnFamilyLogNumberMap() has thrown, or an order of keys.
    if (calls_of_thread.kept != nullptr) return kFailed;
    LocalFrame frame(env);
    const Handle given = PublishNew<BatchObject>(batch);
    const Handle made = PublishNew<BatchObject>(new_batch, nullptr);
    const jint answer = env->CallStaticIntMethod(
        Classes().callbacks, Classes().wal_record, object_.get(),
        static_cast<jlong>(log), NewArray(env, file), given, made);
    CloseHandle(given);
    CloseHandle(made);
    if (env->ExceptionCheck()) {
      TakeException(env, true);
      return kFailed;
    }
    *is_changed = (answer & 256) != 0;
    return static_cast<WalProcessingOption>(answer & 255);
  }

 private:
  // Java could not answer. The engine knows no such answer and fails the open,
  // in every recovery mode; behind a corrupted record it may go on, and drop
  // what the log has.
  static constexpr auto kFailed = WalProcessingOption::kWalProcessingOptionMax;

  JavaObject object_;
  std::string name_;
};

}  // namespace

int64_t JavaReason(CompactionReason reason) {
  const auto number = static_cast<int>(reason);
  switch (reason) {
    case CompactionReason::kFilesMarkedForCompaction:
      return 16;
    case CompactionReason::kForcedBlobGC:
    case CompactionReason::kRoundRobinTtl:
    case CompactionReason::kRefitLevel:
    case CompactionReason::kReadTriggered:
      return number;
    default:
      return number > 10 ? number - 1 : number;
  }
}

NATIVE(jlong, CallbackParts, listener, jobject listener, jlong enabled) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<EventListener>(
        std::make_shared<JavaListener>(env, listener, enabled)));
  });
}

NATIVE(jlong, CallbackParts, tableFilter, jobject filter) {
  return Run(env, [&]() -> jlong {
    return Share(std::make_shared<const TableFilterFunction>(
        TableFilterOf(env, filter)));
  });
}

NATIVE(jlong, CallbackParts, filterFactory, jobject factory, jbyteArray name) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<CompactionFilterFactory>(
        std::make_shared<JavaFilterFactory>(env, factory, TextOf(env, name))));
  });
}

NATIVE(jlong, CallbackParts, walFilter, jobject filter, jbyteArray name) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<WalFilter>(
        std::make_shared<JavaWalFilter>(env, filter, TextOf(env, name))));
  });
}

NATIVE(jlong, JobInfoParts, create) {
  return Run(env, [&]() -> jlong {
    return PublishNew<Value<CompactionJobInfo>>(std::in_place);
  });
}

NATIVE(jbyteArray, JobInfoParts, familyName, jlong info) {
  return Run(env, [&] {
    return NewArray(env, PinStruct<CompactionJobInfo>(info)->cf_name);
  });
}

NATIVE(jbyteArray, JobInfoParts, packed, jlong info) {
  return Run(env, [&] {
    PinStruct<CompactionJobInfo> pin(info);
    Packer out;
    out.Status(pin->status);
    for (const auto* files : {&pin->input_files, &pin->output_files}) {
      out.Int(files->size());
      for (const std::string& file : *files) out.Text(file);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, JobInfoParts, number, jlong info, jint which) {
  return Run(env, [&]() -> jlong {
    PinStruct<CompactionJobInfo> pin(info);
    switch (which) {
      case 0:
        return static_cast<jlong>(pin->thread_id);
      case 1:
        return pin->job_id;
      case 2:
        return pin->base_input_level;
      case 3:
        return pin->output_level;
      case 4:
        return JavaReason(pin->compaction_reason);
      default:
        return pin->compression == kDisableCompressionOption ? 127
                                                             : pin->compression;
    }
  });
}

NATIVE(jbyteArray, JobInfoParts, tables, jlong info) {
  return Run(env, [&] {
    PinStruct<CompactionJobInfo> pin(info);
    Packer out;
    out.Int(pin->table_properties.size());
    for (const auto& [name, table] : pin->table_properties) {
      out.Text(name);
      Pack(out, *table);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, JobInfoParts, stats, jlong info) {
  return Run(env, [&]() -> jlong {
    return PublishNew<Value<CompactionJobStats>>(
        std::in_place, PinStruct<CompactionJobInfo>(info)->stats);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
