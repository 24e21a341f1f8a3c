// BackupParts: backups of databases.
#include <forward_list>

#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// An engine, and what its options point to, which ends behind it.
struct OpenBackups {
  OpenBackups(BackupEngine* opened, Kept used)
      : kept(std::move(used)), engine(opened) {}

  Kept kept;
  std::unique_ptr<BackupEngine> engine;
};

class BackupObject : public Object {
 public:
  static constexpr TypeTag kTag{"BackupEngine", nullptr};
  explicit BackupObject(const std::shared_ptr<OpenBackups>& open)
      : rep(open, open->engine.get()) {}
  const TypeTag* Tag() const override { return &kTag; }

  // Shared with options of restores that ask it for files.
  std::shared_ptr<BackupEngine> rep;
};

}  // namespace

NATIVE(jlong, BackupParts, restoreOptions, jboolean keep_log_files) {
  return Run(env, [&]() -> jlong {
    return PublishNew<Value<RestoreOptions>>(std::in_place,
                                             keep_log_files != JNI_FALSE);
  });
}

NATIVE(void, BackupParts, setMode, jlong options, jint mode) {
  Run(env, [&] {
    PinStruct<RestoreOptions>(options)->mode =
        static_cast<RestoreOptions::Mode>(mode);
  });
}

NATIVE(jint, BackupParts, mode, jlong options) {
  return Run(env, [&]() -> jint {
    return static_cast<jint>(PinStruct<RestoreOptions>(options)->mode);
  });
}

// The engines stay as long as the options.
NATIVE(void, BackupParts, setAlternates, jlong options, jlongArray engines) {
  Run(env, [&] {
    PinStruct<RestoreOptions> target(options);
    std::forward_list<BackupEngineReadOnlyBase*> given;
    Kept kept;
    auto last = given.before_begin();
    for (const Handle engine : LongsOf(env, engines)) {
      std::shared_ptr<BackupEngine> rep = Pin<BackupObject>(engine)->rep;
      last = given.insert_after(last, rep.get());
      kept[rep.get()] = rep;
    }
    target->alternate_dirs = std::move(given);
    // Nothing else of theirs is kept.
    target.object().kept = std::move(kept);
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
    return PublishNew<BackupObject>(
        std::make_shared<OpenBackups>(engine, std::move(kept)));
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
