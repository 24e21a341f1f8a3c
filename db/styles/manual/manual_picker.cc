// kCompactionStyleNone: only users compact.
#include "db/compaction/compaction_picker.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ManualPicker final : public CompactionPicker {
 public:
  bool NeedsCompaction(const VersionStorage& /*storage*/) const override {
    return false;
  }
  std::unique_ptr<Compaction> Pick(const Input& /*input*/) override {
    return nullptr;
  }
};

}  // namespace

std::unique_ptr<CompactionPicker> NewManualPicker() {
  return std::make_unique<ManualPicker>();
}

}  // namespace ROCKSDB_NAMESPACE
