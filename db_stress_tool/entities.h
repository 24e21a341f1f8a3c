// Values as wide columns, and the calls that write and read them. Not every
// engine has them: looked for when this is compiled, NotSupported if missing.
//
// The columns of an entity follow from its value, which is the default one; so
// a value that was written plainly is whole with its one column, and an entity
// with all of those that its value asks for.
//
// Threads    Any.
// Errors     Those of the engine; Corruption for columns that do not belong to
//            their value.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db_stress_tool/write_target.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/write_batch_base.h"

namespace ROCKSDB_NAMESPACE::stress::entities {

// By itself, or as the group of columns of one family.
enum class Form { kColumns, kGroups };

// The default column first; then names, ascending, and what they hold.
std::vector<std::pair<std::string, std::string>> ColumnsOf(const Slice& value);

Status Put(const WriteTarget& target, const Slice& key, const Slice& value,
           Form form);
Status Add(WriteBatchBase* batch, ColumnFamilyHandle* family, const Slice& key,
           const Slice& value);
Status Add(SstFileWriter* writer, const Slice& key, const Slice& value);

// One key of one family, or several.
struct Reader {
  DB* db;
  ColumnFamilyHandle* family;
  ReadOptions options;
  Form form = Form::kColumns;

  Status Get(const Slice& key, std::string* value) const;
  // Columns are read as they are asked for, in whatever form they are.
  Status GetLazy(const Slice& key, std::string* value) const;
  void MultiGet(const std::vector<Slice>& keys,
                std::vector<std::string>* values,
                std::vector<Status>* statuses) const;
  // An iterator over several families, of which it is given this one.
  std::unique_ptr<Iterator> NewIterator() const;
};

// Do the columns that it stands at belong to its value?
bool AreColumnsRight(const Iterator& iterator);

}  // namespace ROCKSDB_NAMESPACE::stress::entities
