// A compaction filter and a merge operator: words are gathered under their
// first letter, and a compaction drops letters without words and shortens long
// lists.
//
//   compaction_filter DIRECTORY
#include "rocksdb/compaction_filter.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"

namespace {

void Check(const rocksdb::Status& s) {
  if (s.ok()) return;
  fprintf(stderr, "%s\n", s.ToString().c_str());
  exit(1);
}

// A value is a list of words with commas between them.
class JoinWords final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice& /*key*/, const rocksdb::Slice* before,
             const rocksdb::Slice& word, std::string* list,
             rocksdb::Logger* /*logger*/) const override {
    list->clear();
    if (before != nullptr && !before->empty()) *list = before->ToString() + ",";
    list->append(word.data(), word.size());
    return true;
  }
  const char* Name() const override { return "example.JoinWords"; }
};

class TidyLists final : public rocksdb::CompactionFilter {
 public:
  // True drops the entry.
  bool Filter(int /*level*/, const rocksdb::Slice& /*key*/,
              const rocksdb::Slice& list, std::string* shorter,
              bool* is_shortened) const override {
    if (list.empty()) return true;
    const std::string text = list.ToString();
    const size_t second = text.find(',', text.find(',') + 1);
    if (second == std::string::npos) return false;
    *shorter = text.substr(0, second);
    *is_shortened = true;
    return false;
  }
  const char* Name() const override { return "example.TidyLists"; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const TidyLists filter;  // Outlives the database.
  rocksdb::Options options;
  options.create_if_missing = true;
  options.merge_operator = std::make_shared<JoinWords>();
  options.compaction_filter = &filter;
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, std::string(argv[1]) + "/db", &db));

  const rocksdb::WriteOptions write;
  for (const char* word : {"basalt", "beryl", "bauxite", "agate"}) {
    Check(db->Merge(write, std::string(1, word[0]), word));
  }
  Check(db->Put(write, "c", ""));
  // Merges that are not resolved yet pass filters by: a flush leaves them, the
  // first compaction makes a value of them, the second has it filtered.
  rocksdb::CompactRangeOptions all;
  all.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  Check(db->CompactRange(all, nullptr, nullptr));
  Check(db->CompactRange(all, nullptr, nullptr));
  const std::unique_ptr<rocksdb::Iterator> it(
      db->NewIterator(rocksdb::ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    printf("%s: %s\n", it->key().ToString().c_str(),
           it->value().ToString().c_str());
  }
  Check(it->status());
  return 0;
}
