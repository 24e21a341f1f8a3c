#include "db_stress_tool/database_copies.h"

#include <filesystem>
#include <vector>

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/opened_copy.h"
#include "rocksdb/metadata.h"
#include "rocksdb/utilities/checkpoint.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string PlaceOf(const Context& c, const Worker& worker,
                    const std::string& kind) {
  return c.flags.db + "/." + kind + std::to_string(worker.index);
}

Status NewCheckpoint(DB* db, std::unique_ptr<Checkpoint>* checkpoint) {
  Checkpoint* raw = nullptr;
  Status s = Checkpoint::Create(db, &raw);
  checkpoint->reset(raw);
  return s;
}

class CheckpointCopy : public OpenedCopy {
 public:
  using OpenedCopy::OpenedCopy;

  // With `family` in any case.
  Status Make(StressRandom* random, size_t family) {
    const Flags& flags = context().flags;
    Database* const database = context().database;
    // One of a process that was killed may be there.
    Status s = Clear();
    if (s.ok() && flags.checkpoint_atomic_flush) {
      s = database->db()->Flush(FlushOptions(), database->families());
    }
    if (!s.ok()) return s;
    engine::CheckpointKind kind;
    kind.path = path();
    // What is in no log must be flushed.
    kind.log_size_for_flush =
        flags.disable_wal || random->OneIn(2) ? 0 : 1 << 20;
    is_part_ = random->OneIn(flags.subset_cf_checkpoint_one_in);
    for (size_t i = 0; is_part_ && i < database->family_count(); ++i) {
      if (i != family && random->OneIn(2)) continue;
      kind.families.push_back(database->family(i));
    }
    kind.has_engine = random->OneIn(flags.parallel_checkpoint_one_in);
    kind.engine_threads =
        static_cast<int>(flags.checkpoint_engine_max_background_operations);
    kind.links = flags.checkpoint_engine_use_link_file_when_available;
    if (is_part_) context().report->Count("checkpoints of some families");
    if (kind.has_engine) context().report->Count("checkpoints by an engine");
    return engine::MakeCheckpoint(database->db(), kind);
  }
  Status OpenMade(bool is_read_only) {
    return Open(is_read_only, is_part_ ? Families::kSome : Families::kAll);
  }

 private:
  bool is_part_ = false;
};

// What there is to be known of a kind of instances that follow the database.
struct InstanceKind {
  const char* name;
  decltype(&engine::OpenSecondary) open;
  bool reads_logs;
};
constexpr InstanceKind kSecondary{"secondary instance", &engine::OpenSecondary,
                                  true};
constexpr InstanceKind kFollower{"follower", &engine::OpenFollower, false};

class InstanceCopy : public DatabaseCopy {
 public:
  InstanceCopy(const Context& c, const InstanceKind& kind, std::string path)
      : c_(c), kind_(kind), path_(std::move(path)) {}
  ~InstanceCopy() override {
    const WithoutFaults no_faults;
    Status s;
    for (ColumnFamilyHandle* handle : handles_) {
      const Status freed = db_->DestroyColumnFamilyHandle(handle);
      if (!freed.ok() && s.ok()) s = freed;
    }
    db_.reset();
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    c_.report->Check(s, ("closing a " + std::string(kind_.name)).c_str());
  }

  // Shows the database as it is now. Half of the time the instance is opened
  // first, and then catches up.
  Status Make(StressRandom* random) {
    // A process that was killed may have left one, of another database even.
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    const bool is_first = random->OneIn(2);
    Status s;
    if (is_first) s = Open();
    if (s.ok()) s = ShowAll();
    if (!s.ok()) return s;
    return is_first ? db_->TryCatchUpWithPrimary() : Open();
  }

  DB* db() const override { return db_.get(); }
  ColumnFamilyHandle* family(size_t index) const override {
    return handles_[index];
  }

 private:
  // Moves all writes to files: the instance sees nothing else.
  Status ShowAll() {
    DB* const primary = c_.database->db();
    return c_.flags.disable_wal || !kind_.reads_logs
               ? primary->Flush(FlushOptions(), c_.database->families())
               : primary->FlushWAL(/*sync=*/false);
  }
  Status Open() {
    Options options = c_.database->options();
    options.max_open_files = -1;
    options.compaction_service = nullptr;
    options.sst_file_manager = nullptr;
    std::vector<ColumnFamilyDescriptor> families;
    for (ColumnFamilyHandle* family : c_.database->families()) {
      families.emplace_back(family->GetName(), ColumnFamilyOptions(options));
    }
    return kind_.open({options, c_.flags.db, path_, families}, &handles_, &db_);
  }

  const Context c_;
  const InstanceKind kind_;
  const std::string path_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

class ImportedCopy : public DatabaseCopy {
 public:
  ImportedCopy(const Context& c, std::string path, size_t family)
      : c_(c), path_(std::move(path)), family_(family) {}
  ~ImportedCopy() override {
    const WithoutFaults no_faults;
    Status s;
    if (handle_ != nullptr) {
      s = db()->DropColumnFamily(handle_);
      Status freed = db()->DestroyColumnFamilyHandle(handle_);
      if (s.ok()) s = freed;
    }
    c_.report->Check(s, "dropping an imported family");
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  Status Make(const std::string& name, bool moves) {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    std::unique_ptr<Checkpoint> checkpoint;
    Status s = NewCheckpoint(db(), &checkpoint);
    if (!s.ok()) return s;
    ExportImportFilesMetaData* raw = nullptr;
    s = checkpoint->ExportColumnFamily(c_.database->family(family_), path_,
                                       &raw);
    const std::unique_ptr<ExportImportFilesMetaData> metadata(raw);
    if (!s.ok()) return s;
    ImportColumnFamilyOptions options;
    options.move_files = moves;
    s = db()->CreateColumnFamilyWithImport(
        ColumnFamilyOptions(c_.database->options()), name, options, *metadata,
        &handle_);
    return s.ok() ? CutHistory() : s;
  }

  DB* db() const override { return c_.database->db(); }
  ColumnFamilyHandle* family(size_t index) const override {
    return index == family_ ? handle_ : nullptr;
  }

 private:
  // What is exported does not say how far back its history goes.
  Status CutHistory() {
    if (c_.flags.user_timestamp_size == 0) return Status::OK();
    std::string low;
    Status s = db()->GetFullHistoryTsLow(c_.database->family(family_), &low);
    if (!s.ok() || low.empty()) return s;
    return db()->IncreaseFullHistoryTsLow(handle_, low);
  }

  const Context c_;
  const std::string path_;
  const size_t family_;
  ColumnFamilyHandle* handle_ = nullptr;
};

void CheckInstance(const Context& context, const InstanceKind& kind,
                   const std::string& path, Workload* workload,
                   Worker* worker) {
  workload->CheckCopy(
      worker, [&](size_t /*family*/, std::unique_ptr<DatabaseCopy>* copy) {
        auto made = std::make_unique<InstanceCopy>(context, kind, path);
        Status s = made->Make(&worker->random);
        if (s.ok()) *copy = std::move(made);
        return s;
      });
  context.report->Count((std::string(kind.name) + "s").c_str());
}

}  // namespace

Status MakeCheckpointCopy(const Context& context, Worker* worker, size_t family,
                          std::unique_ptr<DatabaseCopy>* copy) {
  auto made = std::make_unique<CheckpointCopy>(
      context, PlaceOf(context, *worker, "checkpoint"),
      "removing a checkpoint");
  Status s = made->Make(&worker->random, family);
  if (s.ok()) s = made->OpenMade(/*is_read_only=*/!worker->random.OneIn(4));
  if (s.ok()) *copy = std::move(made);
  return s;
}

void CheckInstances(const Context& context, Workload* workload,
                    Worker* worker) {
  if (context.flags.test_secondary) {
    const std::string& base = context.flags.secondaries_base;
    CheckInstance(context, kSecondary,
                  base.empty() ? PlaceOf(context, *worker, "secondary")
                               : base + "/" + std::to_string(worker->index),
                  workload, worker);
  }
  if (context.flags.test_follower) {
    // It may not be in the database's directory.
    CheckInstance(
        context, kFollower,
        context.flags.db + ".follower" + std::to_string(worker->index),
        workload, worker);
  }
}

Status MakeImportedCopy(const Context& context, Worker* worker, size_t family,
                        std::unique_ptr<DatabaseCopy>* copy) {
  auto made = std::make_unique<ImportedCopy>(
      context, PlaceOf(context, *worker, "export"), family);
  Status s = made->Make("imported" + std::to_string(worker->index),
                        worker->random.OneIn(2));
  if (s.ok()) *copy = std::move(made);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
