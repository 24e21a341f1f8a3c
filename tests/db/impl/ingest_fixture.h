// A database and the external files that are to go into it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {

class IngestFixture : public FamiliesFixture {
 protected:
  IngestFixture() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 4;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }

  // The path of a new external file with what `fill` writes.
  std::string Make(const std::function<void(SstFileWriter*)>& fill,
                   ColumnFamilyHandle* family = nullptr) {
    const std::string path =
        directory_.path() + "/external" + std::to_string(++made_) + ".sst";
    SstFileWriter writer(EnvOptions(), options_, family);
    EXPECT_OK(writer.Open(path));
    fill(&writer);
    EXPECT_OK(writer.Finish());
    return path;
  }
  // Keys "from" to "to" (two digits) with one value.
  std::string MakeKeys(int from, int to, const std::string& value) {
    return Make([&](SstFileWriter* writer) {
      for (int i = from; i <= to; ++i) EXPECT_OK(writer->Put(Key(i), value));
    });
  }
  static std::string Key(int i) {
    return std::string("k") + static_cast<char>('0' + i / 10) +
           static_cast<char>('0' + i % 10);
  }
  Status Ingest(const std::vector<std::string>& paths,
                const IngestExternalFileOptions& options = {}) {
    return db_->IngestExternalFile(paths, options);
  }
  bool Exists(const std::string& path) {
    return options_.env->FileExists(path).ok();
  }
  // "files at level 0,1,2,3".
  std::string Levels() {
    std::string text;
    for (int level = 0; level < options_.num_levels; ++level) {
      text += (level > 0 ? "," : "") + std::to_string(FilesAt(level));
    }
    return text;
  }

  int made_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
