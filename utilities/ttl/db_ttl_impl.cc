#include "utilities/ttl/db_ttl_impl.h"

#include <memory>
#include <utility>
#include <vector>

#include "db/read/family_iterators.h"
#include "db/wal/write_batch_internal.h"
#include "options/builtin_objects.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/mutex.h"
#include "util/no_destructor.h"
#include "utilities/ttl/ttl_compaction_filter.h"
#include "utilities/ttl/ttl_iterator.h"
#include "utilities/ttl/ttl_merge_operator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status NoEntities(const char* call) {
  return Status::NotSupported("not of a database with TTL", call);
}

// A batch with the same entries, values and operands with the time.
class TimedBatch final : public WriteBatch::Handler {
 public:
  TimedBatch(const WriteBatch& original, uint32_t seconds)
      : batch_(original.GetDataSize(), 0, original.GetProtectionBytesPerKey(),
               0) {
    AppendTtlTime(seconds, &time_);
  }
  WriteBatch* batch() { return &batch_; }

  Status PutCF(uint32_t family, const Slice& key, const Slice& value) override {
    return AddTimed(kTypeValue, family, key, value);
  }
  Status MergeCF(uint32_t family, const Slice& key,
                 const Slice& value) override {
    return AddTimed(kTypeMerge, family, key, value);
  }
  Status DeleteCF(uint32_t family, const Slice& key) override {
    return AddPlain(kTypeDeletion, family, key, nullptr);
  }
  Status SingleDeleteCF(uint32_t family, const Slice& key) override {
    return AddPlain(kTypeSingleDeletion, family, key, nullptr);
  }
  Status DeleteRangeCF(uint32_t family, const Slice& begin,
                       const Slice& end) override {
    return AddPlain(kTypeRangeDeletion, family, begin, &end);
  }
  void LogData(const Slice& blob) override {
    const Status s = batch_.PutLogData(blob);
    if (status_.ok()) status_ = s;
  }
  Status PutEntityCF(uint32_t, const Slice&, const Slice&) override {
    return Status::NotSupported("PutEntityCF not implemented");
  }
  const Status& status() const { return status_; }

 private:
  Status AddTimed(ValueType type, uint32_t family, const Slice& key,
                  const Slice& value) {
    const Slice parts[] = {value, time_};
    const SliceParts stored(parts, 2);
    const SliceParts whole_key(&key, 1);
    return WriteBatchInternal::Add(&batch_, type, family, whole_key, &stored);
  }
  Status AddPlain(ValueType type, uint32_t family, const Slice& key,
                  const Slice* value) {
    const SliceParts whole_key(&key, 1);
    const SliceParts whole_value(value, 1);
    return WriteBatchInternal::Add(&batch_, type, family, whole_key,
                                   value == nullptr ? nullptr : &whole_value);
  }

  std::string time_;
  WriteBatch batch_;
  Status status_;
};

// The copy of a batch does not know which of its keys lack timestamps.
Status CheckStamps(const WriteBatch& batch,
                   const ColumnFamilyHandle* default_family) {
  // A database that is closed has none, and refuses the write itself.
  if (default_family == nullptr) return Status::OK();
  return WriteBatchInternal::CheckTimestamps(
      batch, default_family->GetComparator()->timestamp_size());
}

// Takes the time off a value that was found. An OK may say more than that
// (merge_operand_count_threshold), and stays as it is.
void HideTime(PinnableSlice* value, Status* s) {
  if (!s->ok()) return;
  const Status checked = CheckTtlValue(*value);
  if (checked.ok()) {
    value->remove_suffix(kTtlBytes);
  } else {
    *s = checked;
  }
}

SystemClock* PlainClock() { return SystemClock::Default().get(); }

// Options have filters by a pointer that nobody owns: what was made from text
// lives for ever, some hundred bytes each time that such a text is read.
const CompactionFilter* KeepForEver(
    std::unique_ptr<const CompactionFilter> filter) {
  static NoDestructor<Mutex> mutex;
  static NoDestructor<std::vector<std::unique_ptr<const CompactionFilter>>>
      kept;
  const MutexLock lock(mutex.get());
  kept->push_back(std::move(filter));
  return kept->back().get();
}

// So that the OPTIONS file of such a database can be read.
void RegisterTtlClasses() {
  ObjectLibrary* library = BuiltinLibrary().get();
  library->AddFactory<MergeOperator>(
      TtlMergeOperator::kClassName(),
      [](const std::string&, std::unique_ptr<MergeOperator>* guard,
         std::string*) {
        *guard = std::make_unique<TtlMergeOperator>(nullptr, PlainClock());
        return guard->get();
      });
  library->AddFactory<CompactionFilterFactory>(
      TtlCompactionFilterFactory::kClassName(),
      [](const std::string&, std::unique_ptr<CompactionFilterFactory>* guard,
         std::string*) {
        *guard = std::make_unique<TtlCompactionFilterFactory>(
            NewTtlSetting(0), nullptr, PlainClock());
        return guard->get();
      });
  library->AddFactory<const CompactionFilter>(
      TtlCompactionFilter::kClassName(),
      [](const std::string&, std::unique_ptr<const CompactionFilter>*,
         std::string*) -> const CompactionFilter* {
        return KeepForEver(std::make_unique<TtlCompactionFilter>(
            NewTtlSetting(0), nullptr, nullptr, PlainClock()));
      });
}

ROCKSDB_REGISTER_OBJECTS(RegisterTtlClasses);

}  // namespace

TtlSetting TtlFamilies::Wrap(int32_t ttl, ColumnFamilyOptions* options) {
  TtlSetting setting = NewTtlSetting(ttl);
  if (options->compaction_filter != nullptr) {
    auto filter = std::make_unique<const TtlCompactionFilter>(
        setting, options->compaction_filter, nullptr, clock_);
    options->compaction_filter = filter.get();
    MutexLock lock(&mutex_);
    filters_.push_back(std::move(filter));
  } else {
    options->compaction_filter_factory =
        std::make_shared<TtlCompactionFilterFactory>(
            setting, options->compaction_filter_factory, clock_);
  }
  if (options->merge_operator != nullptr) {
    options->merge_operator =
        std::make_shared<TtlMergeOperator>(options->merge_operator, clock_);
  }
  return setting;
}

void TtlFamilies::Note(uint32_t family, TtlSetting setting) {
  MutexLock lock(&mutex_);
  settings_[family] = std::move(setting);
}

TtlSetting TtlFamilies::Find(uint32_t family) const {
  MutexLock lock(&mutex_);
  const auto found = settings_.find(family);
  return found == settings_.end() ? nullptr : found->second;
}

Status DBWithTTL::Open(const Options& options, const std::string& dbname,
                       DBWithTTL** dbptr, int32_t ttl, bool read_only) {
  std::vector<ColumnFamilyHandle*> handles;
  const Status s = DBWithTTL::Open(
      DBOptions(options), dbname,
      {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}}, &handles,
      dbptr, {ttl}, read_only);
  if (!s.ok()) return s;
  INVARIANT(handles.size() == 1);
  return (*dbptr)->DestroyColumnFamilyHandle(handles[0]);
}

Status DBWithTTL::Open(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DBWithTTL** dbptr,
    const std::vector<int32_t>& ttls, bool read_only) {
  if (ttls.size() != column_families.size()) {
    return Status::InvalidArgument(
        "ttls size has to be the same as number of column families");
  }
  if (handles == nullptr || dbptr == nullptr) {
    return Status::InvalidArgument("handles or dbptr is null");
  }
  Env* env = db_options.env != nullptr ? db_options.env : Env::Default();
  auto families = std::make_unique<TtlFamilies>(env->GetSystemClock().get());
  std::vector<ColumnFamilyDescriptor> wrapped = column_families;
  std::vector<TtlSetting> settings;
  for (size_t i = 0; i < wrapped.size(); ++i) {
    settings.push_back(families->Wrap(ttls[i], &wrapped[i].options));
  }
  std::unique_ptr<DB> db;
  const Status s =
      read_only ? DB::OpenForReadOnly(db_options, dbname, wrapped, handles, &db)
                : DB::Open(db_options, dbname, wrapped, handles, &db);
  if (!s.ok()) return s;
  for (size_t i = 0; i < settings.size(); ++i) {
    families->Note((*handles)[i]->GetID(), settings[i]);
  }
  *dbptr = std::make_unique<DBWithTTLImpl>(std::move(db), std::move(families))
               .release();
  return s;
}

DBWithTTLImpl::DBWithTTLImpl(std::unique_ptr<DB> db,
                             std::unique_ptr<TtlFamilies> families)
    : DBWithTTL(std::move(db)), families_(std::move(families)) {}

// Compactions use filters that end with this object.
DBWithTTLImpl::~DBWithTTLImpl() {
  CancelAllBackgroundWork(db_, /*wait=*/true);
  delete db_;
  db_ = nullptr;
}

Status DBWithTTLImpl::Close() {
  CancelAllBackgroundWork(db_, /*wait=*/true);
  return db_->Close();
}

// --- families

Status DBWithTTLImpl::CreateColumnFamilyWithTtl(
    const ColumnFamilyOptions& options, const std::string& name,
    ColumnFamilyHandle** handle, int ttl) {
  if (handle == nullptr) return Status::InvalidArgument("handle is null");
  ColumnFamilyOptions wrapped = options;
  TtlSetting setting = families_->Wrap(ttl, &wrapped);
  *handle = nullptr;
  Status s = db_->CreateColumnFamily(wrapped, name, handle);
  // It may be there although something behind it has failed.
  if (*handle != nullptr) {
    families_->Note((*handle)->GetID(), std::move(setting));
  }
  return s;
}

Status DBWithTTLImpl::CreateColumnFamily(const ColumnFamilyOptions& options,
                                         const std::string& name,
                                         ColumnFamilyHandle** handle) {
  return CreateColumnFamilyWithTtl(options, name, handle, 0);
}

Status DBWithTTLImpl::CreateColumnFamilies(
    const ColumnFamilyOptions& options, const std::vector<std::string>& names,
    std::vector<ColumnFamilyHandle*>* handles) {
  std::vector<ColumnFamilyDescriptor> families;
  families.reserve(names.size());
  for (const std::string& name : names) families.emplace_back(name, options);
  return CreateColumnFamilies(families, handles);
}

// Keeps the families before the first that fails, like other databases.
Status DBWithTTLImpl::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles == nullptr) return Status::InvalidArgument("handles is null");
  handles->clear();
  for (const ColumnFamilyDescriptor& family : families) {
    ColumnFamilyHandle* handle = nullptr;
    Status s = CreateColumnFamily(family.options, family.name, &handle);
    if (!s.ok()) return s;
    handles->push_back(handle);
  }
  return Status::OK();
}

Status DBWithTTLImpl::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  ColumnFamilyOptions wrapped = options;
  TtlSetting setting = families_->Wrap(0, &wrapped);
  if (handle == nullptr) return Status::InvalidArgument("handle is null");
  *handle = nullptr;
  Status s = db_->CreateColumnFamilyWithImport(wrapped, name, import_options,
                                               metadatas, handle);
  if (*handle != nullptr) {
    families_->Note((*handle)->GetID(), std::move(setting));
  }
  return s;
}

void DBWithTTLImpl::SetTtl(ColumnFamilyHandle* h, int32_t ttl) {
  if (h == nullptr) return;
  if (const TtlSetting setting = families_->Find(h->GetID())) {
    setting->store(ttl);
  }
}

Status DBWithTTLImpl::GetTtl(ColumnFamilyHandle* h, int32_t* ttl) {
  if (h == nullptr || ttl == nullptr) {
    return Status::InvalidArgument("column family handle or ttl is null");
  }
  const TtlSetting setting = families_->Find(h->GetID());
  if (setting == nullptr) {
    return Status::InvalidArgument("the column family has no TTL");
  }
  *ttl = setting->load();
  return Status::OK();
}

// --- writing

Status DBWithTTLImpl::WithTime(const Slice& value, std::string* stored) const {
  uint32_t now = 0;
  Status s = TtlNow(families_->clock(), &now);
  if (!s.ok()) return s;
  stored->reserve(value.size() + kTtlBytes);
  stored->assign(value.data(), value.size());
  AppendTtlTime(now, stored);
  return s;
}

Status DBWithTTLImpl::Put(const WriteOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          const Slice& value) {
  std::string stored;
  Status s = WithTime(value, &stored);
  return s.ok() ? db_->Put(options, family, key, stored) : s;
}

Status DBWithTTLImpl::Merge(const WriteOptions& options,
                            ColumnFamilyHandle* family, const Slice& key,
                            const Slice& value) {
  std::string stored;
  Status s = WithTime(value, &stored);
  return s.ok() ? db_->Merge(options, family, key, stored) : s;
}

Status DBWithTTLImpl::PutEntity(const WriteOptions&, ColumnFamilyHandle*,
                                const Slice&, const WideColumns&) {
  return NoEntities("PutEntity");
}

Status DBWithTTLImpl::Write(const WriteOptions& options, WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("updates is null");
  Status s = CheckStamps(*updates, DefaultColumnFamily());
  if (!s.ok()) return s;
  uint32_t now = 0;
  s = TtlNow(families_->clock(), &now);
  if (!s.ok()) return s;
  TimedBatch timed(*updates, now);
  s = updates->Iterate(&timed);
  if (s.ok()) s = timed.status();
  return s.ok() ? db_->Write(options, timed.batch()) : s;
}

// --- reading

Status DBWithTTLImpl::Get(const ReadOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          PinnableSlice* value, std::string* timestamp) {
  if (timestamp != nullptr) {
    return Status::NotSupported(
        "Get() that returns timestamp is not supported");
  }
  Status s = db_->Get(options, family, key, value);
  HideTime(value, &s);
  return s;
}

void DBWithTTLImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                             ColumnFamilyHandle** families, const Slice* keys,
                             PinnableSlice* values, std::string* timestamps,
                             Status* statuses, bool sorted_input) {
  if (timestamps != nullptr) {
    for (size_t i = 0; i < num_keys; ++i) {
      statuses[i] = Status::NotSupported(
          "MultiGet() returning timestamps not implemented.");
    }
    return;
  }
  db_->MultiGet(options, num_keys, families, keys, values, statuses,
                sorted_input);
  for (size_t i = 0; i < num_keys; ++i) {
    HideTime(&values[i], &statuses[i]);
  }
}

Status DBWithTTLImpl::GetMergeOperands(
    const ReadOptions& options, ColumnFamilyHandle* family, const Slice& key,
    PinnableSlice* operands, GetMergeOperandsOptions* operands_options,
    int* number_of_operands) {
  if (operands_options == nullptr || number_of_operands == nullptr) {
    return Status::InvalidArgument(
        "operands_options or number_of_operands is null");
  }
  GetMergeOperandsOptions shown = *operands_options;
  if (shown.continue_cb) {
    shown.continue_cb = [user = operands_options->continue_cb](Slice operand) {
      return user(operand.size() < kTtlBytes ? operand
                                             : WithoutTtlTime(operand));
    };
  }
  Status s = db_->GetMergeOperands(options, family, key, operands, &shown,
                                   number_of_operands);
  for (int i = 0; s.ok() && i < *number_of_operands; ++i) {
    HideTime(&operands[i], &s);
  }
  return s;
}

bool DBWithTTLImpl::KeyMayExist(const ReadOptions& options,
                                ColumnFamilyHandle* family, const Slice& key,
                                std::string* value, bool* value_found) {
  bool is_found = false;
  std::string stored;
  std::string* result = value != nullptr ? value : &stored;
  if (!db_->KeyMayExist(options, family, key, result, &is_found)) return false;
  if (value_found != nullptr) *value_found = is_found;
  if (!is_found) return true;
  if (!CheckTtlValue(*result).ok()) return false;
  result->resize(result->size() - kTtlBytes);
  return true;
}

Iterator* DBWithTTLImpl::NewIterator(const ReadOptions& options,
                                     ColumnFamilyHandle* family) {
  return std::make_unique<TtlIterator>(
             std::unique_ptr<Iterator>(db_->NewIterator(options, family)),
             options.allow_unprepared_value)
      .release();
}

Status DBWithTTLImpl::NewIterators(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families,
    std::vector<Iterator*>* iterators) {
  Status s = db_->NewIterators(options, families, iterators);
  if (!s.ok()) return s;
  for (Iterator*& iterator : *iterators) {
    iterator =
        std::make_unique<TtlIterator>(std::unique_ptr<Iterator>(iterator),
                                      options.allow_unprepared_value)
            .release();
  }
  return s;
}

// --- not supported

Status DBWithTTLImpl::GetEntity(const ReadOptions&, ColumnFamilyHandle*,
                                const Slice&, PinnableWideColumns*) {
  return NoEntities("GetEntity");
}

Status DBWithTTLImpl::GetEntity(const ReadOptions&, const Slice&,
                                PinnableAttributeGroups*) {
  return NoEntities("GetEntity");
}

void DBWithTTLImpl::MultiGetEntity(const ReadOptions&, ColumnFamilyHandle*,
                                   size_t num_keys, const Slice*,
                                   PinnableWideColumns*, Status* statuses,
                                   bool) {
  for (size_t i = 0; i < num_keys; ++i) {
    statuses[i] = NoEntities("MultiGetEntity");
  }
}

void DBWithTTLImpl::MultiGetEntity(const ReadOptions&, size_t num_keys,
                                   ColumnFamilyHandle**, const Slice*,
                                   PinnableWideColumns*, Status* statuses,
                                   bool) {
  for (size_t i = 0; i < num_keys; ++i) {
    statuses[i] = NoEntities("MultiGetEntity");
  }
}

void DBWithTTLImpl::MultiGetEntity(const ReadOptions&, size_t num_keys,
                                   const Slice*,
                                   PinnableAttributeGroups* results) {
  for (size_t i = 0; i < num_keys; ++i) {
    for (PinnableAttributeGroup& group : results[i]) {
      group.SetStatus(NoEntities("MultiGetEntity"));
    }
  }
}

Status DBWithTTLImpl::GetEntityLazy(const ReadOptions&, ColumnFamilyHandle*,
                                    const Slice&, LazyWideColumns*) {
  return NoEntities("GetEntityLazy");
}

void DBWithTTLImpl::MultiGetEntityLazy(const ReadOptions&, ColumnFamilyHandle*,
                                       size_t num_keys, const Slice*,
                                       LazyWideColumnsBatch*, Status* statuses,
                                       bool) {
  for (size_t i = 0; i < num_keys; ++i) {
    statuses[i] = NoEntities("MultiGetEntityLazy");
  }
}

std::unique_ptr<Iterator> DBWithTTLImpl::NewCoalescingIterator(
    const ReadOptions&, const std::vector<ColumnFamilyHandle*>&) {
  return std::unique_ptr<Iterator>(
      NewErrorIterator(NoEntities("NewCoalescingIterator")));
}

std::unique_ptr<AttributeGroupIterator>
DBWithTTLImpl::NewAttributeGroupIterator(
    const ReadOptions&, const std::vector<ColumnFamilyHandle*>&) {
  return NewAttributeGroupErrorIterator(
      NoEntities("NewAttributeGroupIterator"));
}

}  // namespace ROCKSDB_NAMESPACE
