// BackupParts: backups of databases.
#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

class BackupObject : public Object {
 public:
  static constexpr TypeTag kTag{"BackupEngine", nullptr};
  BackupObject(BackupEngine* engine, Kept used)
      : kept_(std::move(used)), rep(engine) {}
  const TypeTag* Tag() const override { return &kTag; }

 private:
  // What the options point to; the engine ends before it.
  Kept kept_;

 public:
  std::unique_ptr<BackupEngine> rep;
};

}  // namespace

NATIVE(jlong, BackupParts, restoreOptions, jboolean keep_log_files) {
  return Run(env, [&]() -> jlong {
    return PublishNew<Value<RestoreOptions>>(std::in_place,
                                             keep_log_files != JNI_FALSE);
  });
}

NATIVE(jlong, BackupParts, open, jlong environment, jlong options) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Env>> where(environment);
    PinStruct<BackupEngineOptions> how(options);
    BackupEngine* engine = nullptr;
    Check(BackupEngine::Open(*how, where->rep.get(), &engine));
    Kept kept = how.object().kept;
    kept[engine] = where->rep;
    return PublishNew<BackupObject>(engine, std::move(kept));
  });
}

NATIVE(void, BackupParts, create, jlong engine, jlong database,
       jbyteArray metadata, jboolean flush) {
  Run(env, [&] {
    Pin<BackupObject> pin(engine);
    Pin<Database> db(database);
    Check(pin->rep->CreateNewBackupWithMetadata(db->db(), TextOf(env, metadata),
                                                flush != JNI_FALSE));
  });
}

NATIVE(jbyteArray, BackupParts, list, jlong engine) {
  return Run(env, [&] {
    std::vector<BackupInfo> backups;
    Pin<BackupObject>(engine)->rep->GetBackupInfo(&backups);
    Packer out;
    out.Int(backups.size());
    for (const BackupInfo& backup : backups) {
      out.Int(backup.backup_id);
      out.Long(backup.timestamp);
      out.Long(backup.size);
      out.Int(backup.number_files);
      out.Text(backup.app_metadata);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlongArray, BackupParts, corrupted, jlong engine) {
  return Run(env, [&] {
    std::vector<BackupID> backups;
    Pin<BackupObject>(engine)->rep->GetCorruptedBackups(&backups);
    return NewLongs(env, std::vector<int64_t>(backups.begin(), backups.end()));
  });
}

NATIVE(void, BackupParts, collectGarbage, jlong engine) {
  Run(env, [&] { Check(Pin<BackupObject>(engine)->rep->GarbageCollect()); });
}

NATIVE(void, BackupParts, purge, jlong engine, jint number_to_keep) {
  Run(env, [&] {
    if (number_to_keep < 0) Fail(Wrong::kArgument, "less than no backup");
    Check(Pin<BackupObject>(engine)->rep->PurgeOldBackups(
        static_cast<uint32_t>(number_to_keep)));
  });
}

NATIVE(void, BackupParts, deleteOne, jlong engine, jint backup) {
  Run(env, [&] {
    Check(Pin<BackupObject>(engine)->rep->DeleteBackup(
        static_cast<BackupID>(backup)));
  });
}

NATIVE(void, BackupParts, restore, jlong engine, jint backup, jbyteArray path,
       jbyteArray log_path, jlong options) {
  Run(env, [&] {
    Pin<BackupObject> pin(engine);
    PinStruct<RestoreOptions> how(options);
    const std::string where = TextOf(env, path);
    const std::string logs = TextOf(env, log_path);
    if (backup == 0) {
      Check(pin->rep->RestoreDBFromLatestBackup(*how, where, logs));
    } else {
      Check(pin->rep->RestoreDBFromBackup(*how, static_cast<BackupID>(backup),
                                          where, logs));
    }
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
