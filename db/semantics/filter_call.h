// A question to the application's compaction filter, and its answer.
//
// Threads  One thread.
// Errors   Aborted where the filter throws, IOError where it says that it
//          cannot read, InvalidArgument for a key to skip to that is none;
//          those of the blobs that it asks for. The decision is then kKeep.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/full_merge.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;

class FilterCall {
 public:
  using Decision = CompactionFilter::Decision;
  struct Context {
    const CompactionFilter* filter = nullptr;  // null: there is none to ask
    int start_level = 0;                 // the compaction's; 0 in a flush, too
    const BlobFetcher* blobs = nullptr;  // null: there are no references
    // Its statistics and clock time the calls.
    MergeContext merge;
    const InternalKeyComparator* order = nullptr;
  };

  explicit FilterCall(const Context& context) : context_(context) {}

  bool is_wanted() const { return context_.filter != nullptr; }
  const char* name() const { return context_.filter->Name(); }

  // About a version of that user key. An entity is as it is stored, and may
  // refer to blobs only where the filter resolves them.
  Decision Ask(CompactionFilter::ValueType type, const Slice& user_key,
               const Slice& value, Status* problem);
  // About a blob, without its value; kUndetermined: it wants that, too.
  Decision AskByKey(const Slice& user_key, Status* problem);
  bool ResolvesBlobs() const;

  // What came with the answer.
  std::string& value() { return value_; }
  const std::string& skip_until() const { return skip_until_; }
  // The entity of the columns that came, as it is stored.
  Status EncodeColumns(std::string* entity);

 private:
  void Clear();
  Decision Check(Decision decision, const Slice& user_key,
                 Status* problem) const;
  template <class Call>
  bool Guard(const Call& call, Status* problem) const;

  const Context context_;
  std::string value_;
  std::string skip_until_;
  std::vector<std::pair<std::string, std::string>> columns_;
};

}  // namespace ROCKSDB_NAMESPACE
