#include "db_stress_tool/entities.h"

#if __has_include("rocksdb/attribute_groups.h")
#include "rocksdb/attribute_groups.h"
#include "rocksdb/wide_columns.h"
#endif
#if __has_include("rocksdb/lazy_wide_columns.h")
#include "rocksdb/lazy_wide_columns.h"
#endif

namespace ROCKSDB_NAMESPACE::stress::entities {

#if __has_include("rocksdb/lazy_wide_columns.h")

// All columns belong to the value of the default one.
Status Reader::GetLazy(const Slice& key, std::string* value) const {
  LazyWideColumns columns;
  Status s = db->GetEntityLazy(options, family, key, &columns);
  std::vector<std::pair<std::string, std::string>> found;
  for (size_t i = 0; i < columns.size() && s.ok(); ++i) {
    const LazyWideColumn& column = columns[i];
    PinnableSlice read;
    if (column.is_reference()) {
      s = columns.ResolveColumn(column, &read);
      found.emplace_back(column.name().ToString(), read.ToString());
    } else {
      found.emplace_back(column.name().ToString(),
                         column.inline_value().value().ToString());
    }
  }
  if (!s.ok()) return s;
  const bool is_whole =
      !found.empty() && found[0].first.empty() &&
      (found.size() == 1 || found == ColumnsOf(found[0].second));
  if (!is_whole)
    return Status::Corruption("columns that do not belong together");
  *value = found[0].second;
  return s;
}

#else

Status Reader::GetLazy(const Slice&, std::string*) const {
  return Status::NotSupported("GetEntityLazy");
}

#endif

std::vector<std::pair<std::string, std::string>> ColumnsOf(const Slice& value) {
  constexpr size_t kBytes = 8;
  std::vector<std::pair<std::string, std::string>> columns{
      {"", value.ToString()}};
  // The first byte is the least of the version's.
  const size_t count =
      value.empty() ? 0 : static_cast<uint8_t>(value[0]) / 2 % 4;
  for (size_t i = 0; i < count && i * kBytes < value.size(); ++i) {
    const Slice rest(value.data() + i * kBytes, value.size() - i * kBytes);
    columns.emplace_back("column" + std::to_string(i), rest.ToString());
  }
  return columns;
}

#if __has_include("rocksdb/attribute_groups.h")

namespace {

using Owned = std::vector<std::pair<std::string, std::string>>;

WideColumns View(const Owned& columns) {
  WideColumns view;
  for (const auto& [name, value] : columns) view.emplace_back(name, value);
  return view;
}

bool AreWhole(const WideColumns& columns) {
  if (columns.empty() || !columns[0].name().empty()) return false;
  if (columns.size() == 1) return true;
  const Owned wanted = ColumnsOf(columns[0].value());
  return columns == View(wanted);
}

Status TakeValue(const WideColumns& columns, std::string* value) {
  if (!AreWhole(columns)) {
    return Status::Corruption("columns that do not belong together");
  }
  *value = columns[0].value().ToString();
  return Status::OK();
}

Status TakeValue(const PinnableAttributeGroups& groups, std::string* value) {
  if (groups.size() != 1) return Status::Corruption("groups that are not one");
  if (!groups[0].status().ok()) return groups[0].status();
  return TakeValue(groups[0].columns(), value);
}

// Groups of one family as what that family holds.
class OneGroup : public Iterator {
 public:
  explicit OneGroup(std::unique_ptr<AttributeGroupIterator> groups)
      : groups_(std::move(groups)) {}
  bool Valid() const override { return groups_->Valid(); }
  void SeekToFirst() override { groups_->SeekToFirst(); }
  void SeekToLast() override { groups_->SeekToLast(); }
  void Seek(const Slice& target) override { groups_->Seek(target); }
  void SeekForPrev(const Slice& target) override {
    groups_->SeekForPrev(target);
  }
  void Next() override { groups_->Next(); }
  void Prev() override { groups_->Prev(); }
  Status status() const override { return groups_->status(); }
  bool PrepareValue() override { return groups_->PrepareValue(); }
  Slice key() const override { return groups_->key(); }
  // Empty, which no value is, for what is no single entity.
  Slice value() const override {
    return columns().empty() ? Slice() : columns()[0].value();
  }
  const WideColumns& columns() const override {
    const IteratorAttributeGroups& all = groups_->attribute_groups();
    return all.size() == 1 ? all[0].columns() : kNoWideColumns;
  }

 private:
  const std::unique_ptr<AttributeGroupIterator> groups_;
};

}  // namespace

Status Put(const WriteTarget& target, const Slice& key, const Slice& value,
           Form form) {
  const Owned columns = ColumnsOf(value);
  if (target.transactions != nullptr) {
    return target.InTransaction([&](Transaction* txn) {
      return txn->PutEntity(target.family, key, View(columns));
    });
  }
  if (form == Form::kColumns) {
    return target.db->PutEntity(target.options, target.family, key,
                                View(columns));
  }
  const AttributeGroups groups{AttributeGroup(target.family, View(columns))};
  return target.db->PutEntity(target.options, key, groups);
}

Status Add(WriteBatchBase* batch, ColumnFamilyHandle* family, const Slice& key,
           const Slice& value) {
  const Owned columns = ColumnsOf(value);
  return batch->PutEntity(family, key, View(columns));
}

Status Add(SstFileWriter* writer, const Slice& key, const Slice& value) {
  const Owned columns = ColumnsOf(value);
  return writer->PutEntity(key, View(columns));
}

Status Reader::Get(const Slice& key, std::string* value) const {
  if (form == Form::kColumns) {
    PinnableWideColumns columns;
    Status s = db->GetEntity(options, family, key, &columns);
    return s.ok() ? TakeValue(columns.columns(), value) : s;
  }
  PinnableAttributeGroups groups;
  groups.emplace_back(family);
  Status s = db->GetEntity(options, key, &groups);
  return s.ok() ? TakeValue(groups, value) : s;
}

void Reader::MultiGet(const std::vector<Slice>& keys,
                      std::vector<std::string>* values,
                      std::vector<Status>* statuses) const {
  values->resize(keys.size());
  statuses->resize(keys.size());
  if (form == Form::kColumns) {
    std::vector<PinnableWideColumns> columns(keys.size());
    db->MultiGetEntity(options, family, keys.size(), keys.data(),
                       columns.data(), statuses->data());
    for (size_t i = 0; i < keys.size(); ++i) {
      Status* const s = &(*statuses)[i];
      if (s->ok()) *s = TakeValue(columns[i].columns(), &(*values)[i]);
    }
    return;
  }
  std::vector<PinnableAttributeGroups> groups(keys.size());
  for (PinnableAttributeGroups& group : groups) group.emplace_back(family);
  db->MultiGetEntity(options, keys.size(), keys.data(), groups.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    (*statuses)[i] = TakeValue(groups[i], &(*values)[i]);
  }
}

std::unique_ptr<Iterator> Reader::NewIterator() const {
  if (form == Form::kColumns) {
    return db->NewCoalescingIterator(options, {family});
  }
  return std::make_unique<OneGroup>(
      db->NewAttributeGroupIterator(options, {family}));
}

bool AreColumnsRight(const Iterator& iterator) {
  return AreWhole(iterator.columns()) &&
         iterator.columns()[0].value() == iterator.value();
}

#else

namespace {

Status Missing() { return Status::NotSupported("entities"); }

}  // namespace

Status Put(const WriteTarget& /*target*/, const Slice& /*key*/,
           const Slice& /*value*/, Form /*form*/) {
  return Missing();
}

Status Add(WriteBatchBase* /*batch*/, ColumnFamilyHandle* /*family*/,
           const Slice& /*key*/, const Slice& /*value*/) {
  return Missing();
}

Status Add(SstFileWriter* /*writer*/, const Slice& /*key*/,
           const Slice& /*value*/) {
  return Missing();
}

Status Reader::Get(const Slice& /*key*/, std::string* /*value*/) const {
  return Missing();
}

void Reader::MultiGet(const std::vector<Slice>& keys,
                      std::vector<std::string>* values,
                      std::vector<Status>* statuses) const {
  values->resize(keys.size());
  statuses->assign(keys.size(), Missing());
}

std::unique_ptr<Iterator> Reader::NewIterator() const {
  return std::unique_ptr<Iterator>(NewErrorIterator(Missing()));
}

bool AreColumnsRight(const Iterator& /*iterator*/) { return true; }

#endif

}  // namespace ROCKSDB_NAMESPACE::stress::entities
