// A compression manager that chooses what a block costs: for now one level of
// ZSTD, whose cost and gain suit most data.
#include <utility>

#include "rocksdb/advanced_compression.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CostAwareManager final : public CompressionManagerWrapper {
 public:
  using CompressionManagerWrapper::CompressionManagerWrapper;

  const char* Name() const override { return wrapped_->Name(); }
  std::string GetId() const override { return wrapped_->GetId(); }
  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& opts,
      CompressionType preferred) override {
    const Choice choice = ChoiceFor(opts, preferred);
    return wrapped_->GetCompressorForSST(context, choice.options, choice.type);
  }
  std::unique_ptr<Compressor> GetCompressor(const CompressionOptions& opts,
                                            CompressionType type) override {
    const Choice choice = ChoiceFor(opts, type);
    return wrapped_->GetCompressor(choice.options, choice.type);
  }

 private:
  struct Choice {
    CompressionType type;
    CompressionOptions options;
  };
  Choice ChoiceFor(const CompressionOptions& opts, CompressionType type) const {
    Choice choice{type, opts};
    if (type == kNoCompression || !wrapped_->SupportsCompressionType(kZSTD)) {
      return choice;
    }
    choice.type = kZSTD;
    choice.options.level = CompressionOptions::kDefaultCompressionLevel;
    return choice;
  }
};

}  // namespace

std::shared_ptr<CompressionManagerWrapper> CreateCostAwareCompressionManager(
    std::shared_ptr<CompressionManager> wrapped) {
  if (wrapped == nullptr) wrapped = GetBuiltinV2CompressionManager();
  return std::make_shared<CostAwareManager>(std::move(wrapped));
}

}  // namespace ROCKSDB_NAMESPACE
