// A compression manager that leaves alone what does not shrink.
#include <cassert>
#include <cstdint>
#include <utility>

#include "rocksdb/advanced_compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Whether to try the next block, from what became of those before.
//
// Threads  One at a time.
class SkipRule {
 public:
  bool ShouldTry() { return !is_vain_ || random_.OneIn(kOneTriedIn); }
  void NoteTry(bool is_rejected) {
    rejected_ += is_rejected ? 1 : 0;
    if (++tried_ < kWindow) return;
    is_vain_ = rejected_ * 2 > kWindow;
    tried_ = rejected_ = 0;
  }

 private:
  static constexpr uint32_t kWindow = 10;
  static constexpr uint64_t kOneTriedIn = 10;

  bool is_vain_ = false;  // the last window said so
  uint32_t tried_ = 0;    // in this window
  uint32_t rejected_ = 0;
  // The same blocks make the same file.
  Random64 random_{0};
};

class AutoSkipCompressor final : public CompressorWrapper {
 public:
  using CompressorWrapper::CompressorWrapper;

  const char* Name() const override { return "AutoSkipCompressor"; }
  std::string GetId() const override {
    return std::string(Name()) + ":" + wrapped_->GetId();
  }
  std::unique_ptr<Compressor> Clone() const override {
    return std::make_unique<AutoSkipCompressor>(wrapped_->Clone());
  }
  std::unique_ptr<Compressor> MaybeCloneSpecialized(
      CacheEntryRole block_type, DictConfigArgs&& dict_config) const override {
    auto clone =
        wrapped_->MaybeCloneSpecialized(block_type, std::move(dict_config));
    if (clone == nullptr) return nullptr;
    return std::make_unique<AutoSkipCompressor>(std::move(clone));
  }

  ManagedWorkingArea ObtainWorkingArea() override {
    auto area = std::make_unique<Area>();
    area->wrapped = wrapped_->ObtainWorkingArea();
    return ManagedWorkingArea(area.release(), this);
  }
  void ReleaseWorkingArea(WorkingArea* area) override {
    const std::unique_ptr<Area> mine(static_cast<Area*>(area));
  }

  // Without an area nothing is known of the blocks before: it is tried.
  Status CompressBlock(Slice uncompressed_data, char* compressed_output,
                       size_t* compressed_output_size,
                       CompressionType* out_compression_type,
                       ManagedWorkingArea* working_area) override {
    const bool is_mine = working_area != nullptr && *working_area &&
                         working_area->owner() == this;
    if (!is_mine) {
      return wrapped_->CompressBlock(uncompressed_data, compressed_output,
                                     compressed_output_size,
                                     out_compression_type, nullptr);
    }
    Area& area = *static_cast<Area*>(working_area->get());
    if (!area.rule.ShouldTry()) {
      *compressed_output_size = 0;
      *out_compression_type = kNoCompression;
      return Status::OK();
    }
    Status s = wrapped_->CompressBlock(uncompressed_data, compressed_output,
                                       compressed_output_size,
                                       out_compression_type, &area.wrapped);
    if (s.ok()) area.rule.NoteTry(*out_compression_type == kNoCompression);
    return s;
  }

 private:
  struct Area : public WorkingArea {
    SkipRule rule;
    ManagedWorkingArea wrapped;
  };
};

class AutoSkipManager final : public CompressionManagerWrapper {
 public:
  using CompressionManagerWrapper::CompressionManagerWrapper;

  const char* Name() const override { return wrapped_->Name(); }
  std::string GetId() const override { return wrapped_->GetId(); }
  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& opts,
      CompressionType preferred) override {
    return Wrap(wrapped_->GetCompressorForSST(context, opts, preferred));
  }
  std::unique_ptr<Compressor> GetCompressor(const CompressionOptions& opts,
                                            CompressionType type) override {
    return Wrap(wrapped_->GetCompressor(opts, type));
  }

 private:
  static std::unique_ptr<Compressor> Wrap(
      std::unique_ptr<Compressor> compressor) {
    if (compressor == nullptr) return nullptr;
    return std::make_unique<AutoSkipCompressor>(std::move(compressor));
  }
};

}  // namespace

std::shared_ptr<CompressionManagerWrapper> CreateAutoSkipCompressionManager(
    std::shared_ptr<CompressionManager> wrapped) {
  if (wrapped == nullptr) wrapped = GetBuiltinV2CompressionManager();
  return std::make_shared<AutoSkipManager>(std::move(wrapped));
}

}  // namespace ROCKSDB_NAMESPACE
