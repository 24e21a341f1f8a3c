// Checkpoints, logs and the manager of table files.
#include <bit>

#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/metadata.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/checkpoint.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

class CheckpointObject : public DatabaseChild {
 public:
  static constexpr TypeTag kTag{"Checkpoint", nullptr};
  CheckpointObject(const std::shared_ptr<OpenDatabase>& database,
                   Checkpoint* checkpoint)
      : DatabaseChild(database), rep(checkpoint) {}
  ~CheckpointObject() override { rep.reset(); }
  const TypeTag* Tag() const override { return &kTag; }

  std::unique_ptr<Checkpoint> rep;
};

class LogObject : public DatabaseChild {
 public:
  static constexpr TypeTag kTag{"WalIterator", nullptr};
  explicit LogObject(const std::shared_ptr<OpenDatabase>& database)
      : DatabaseChild(database) {}
  ~LogObject() override { rep.reset(); }
  const TypeTag* Tag() const override { return &kTag; }

  std::unique_ptr<WalIterator> rep;
};

}  // namespace

NATIVE(jlong, CheckpointParts, create, jlong database) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    Checkpoint* made = nullptr;
    Check(Checkpoint::Create(db->db(), &made));
    return Child::Publish(std::make_unique<CheckpointObject>(db->open, made));
  });
}

NATIVE(void, CheckpointParts, createCheckpoint, jlong checkpoint,
       jbyteArray path) {
  Run(env, [&] {
    Check(Pin<CheckpointObject>(checkpoint)
              ->rep->CreateCheckpoint(TextOf(env, path)));
  });
}

NATIVE(jlong, CheckpointParts, exportFamily, jlong checkpoint, jlong family,
       jbyteArray path) {
  return Run(env, [&]() -> jlong {
    Pin<CheckpointObject> pin(checkpoint);
    FamilyOf cf(*pin->open, family);
    ExportImportFilesMetaData* made = nullptr;
    Check(pin->rep->ExportColumnFamily(cf, TextOf(env, path), &made));
    std::shared_ptr<ExportImportFilesMetaData> exported(made);
    CheckCallbacks();
    return Share(std::move(exported));
  });
}

NATIVE(jlong, Maintenance, updatesSince, jlong database, jlong sequence) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    auto object = std::make_unique<LogObject>(db->open);
    Check(db->db()->GetUpdatesSince(static_cast<SequenceNumber>(sequence),
                                    &object->rep));
    return Child::Publish(std::move(object));
  });
}

NATIVE(jboolean, WalParts, isValid, jlong iterator) {
  return Run(env, [&]() -> jboolean {
    return Pin<LogObject>(iterator)->rep->Valid();
  });
}

NATIVE(void, WalParts, next, jlong iterator) {
  Run(env, [&] { Pin<LogObject>(iterator)->rep->Next(); });
}

NATIVE(void, WalParts, status, jlong iterator) {
  Run(env, [&] { Check(Pin<LogObject>(iterator)->rep->status()); });
}

NATIVE(jlongArray, WalParts, batch, jlong iterator) {
  return Run(env, [&] {
    Pin<LogObject> pin(iterator);
    if (!pin->rep->Valid()) Fail(Wrong::kState, "the iterator is at no batch");
    BatchResult batch = pin->rep->GetBatch();
    if (batch.writeBatchPtr == nullptr) {
      Fail(Wrong::kState, "the batch was taken already");
    }
    return NewLongs(env,
                    {static_cast<int64_t>(batch.sequence),
                     PublishNew<BatchObject>(std::move(*batch.writeBatchPtr))});
  });
}

NATIVE(jlong, FileManagerParts, create, jlong environment, jlong logger,
       jlong rate, jdouble trash_ratio, jlong chunk) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Env>> where(environment);
    Pin<Shared<Logger>> log(logger, true);
    Status status;
    std::shared_ptr<SstFileManager> made(NewSstFileManager(
        where->rep.get(), log ? log->rep : nullptr, "", rate, true, &status,
        trash_ratio, static_cast<uint64_t>(chunk)));
    Check(status);
    return Share(made);
  });
}

NATIVE(jlong, FileManagerParts, get, jlong manager, jint which) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<SstFileManager>> pin(manager);
    switch (which) {
      case 0:
        return pin->rep->IsMaxAllowedSpaceReached();
      case 2:
        return pin->rep->IsMaxAllowedSpaceReachedIncludingCompactions();
      case 3:
        return static_cast<jlong>(pin->rep->GetTotalSize());
      case 4:
        return pin->rep->GetDeleteRateBytesPerSecond();
      case 5:
        return std::bit_cast<jlong>(pin->rep->GetMaxTrashDBRatio());
      default:
        Fail(Wrong::kArgument, "no such figure");
    }
  });
}

NATIVE(void, FileManagerParts, set, jlong manager, jint which, jlong value) {
  Run(env, [&] {
    Pin<Shared<SstFileManager>> pin(manager);
    switch (which) {
      case 0:
        return pin->rep->SetMaxAllowedSpaceUsage(static_cast<uint64_t>(value));
      case 1:
        return pin->rep->SetCompactionBufferSize(static_cast<uint64_t>(value));
      case 4:
        return pin->rep->SetDeleteRateBytesPerSecond(value);
      case 5:
        return pin->rep->SetMaxTrashDBRatio(std::bit_cast<double>(value));
      default:
        Fail(Wrong::kArgument, "no such setting");
    }
  });
}

NATIVE(jbyteArray, FileManagerParts, files, jlong manager) {
  return Run(env, [&] {
    const auto files =
        Pin<Shared<SstFileManager>>(manager)->rep->GetTrackedFiles();
    Packer out;
    out.Int(files.size());
    for (const auto& [name, size] : files) {
      out.Text(name);
      out.Long(size);
    }
    return NewArray(env, out.bytes());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
