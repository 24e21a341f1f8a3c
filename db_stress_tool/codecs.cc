#include "db_stress_tool/codecs.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#if __has_include("rocksdb/advanced_compression.h")
#include "rocksdb/advanced_compression.h"
#define DB_STRESS_HAS_MANAGERS 1
#endif

namespace ROCKSDB_NAMESPACE::stress {

#ifdef DB_STRESS_HAS_MANAGERS

namespace {

using Compressors = std::vector<std::unique_ptr<Compressor>>;

// One block after the other by another codec, none of them with a dictionary.
class CodecPerBlock : public Compressor {
 public:
  // There is at least one.
  explicit CodecPerBlock(Compressors codecs) : codecs_(std::move(codecs)) {}
  const char* Name() const override { return "CodecPerBlock"; }
  CompressionType GetPreferredCompressionType() const override {
    return codecs_[0]->GetPreferredCompressionType();
  }
  std::unique_ptr<Compressor> Clone() const override {
    Compressors clones;
    for (const auto& codec : codecs_) clones.push_back(codec->Clone());
    return std::make_unique<CodecPerBlock>(std::move(clones));
  }
  Status CompressBlock(Slice uncompressed_data, char* compressed_output,
                       size_t* compressed_output_size,
                       CompressionType* out_compression_type,
                       ManagedWorkingArea* /*area*/) override {
    Compressor& codec = *codecs_[next_++ % codecs_.size()];
    return codec.CompressBlock(uncompressed_data, compressed_output,
                               compressed_output_size, out_compression_type,
                               nullptr);
  }

 private:
  const Compressors codecs_;
  std::atomic<size_t> next_{0};
};

enum class Turn { kTables, kBlocks };

class MixedManager : public CompressionManagerWrapper {
 public:
  explicit MixedManager(Turn turn)
      : CompressionManagerWrapper(GetBuiltinV2CompressionManager()),
        turn_(turn) {
    for (const CompressionType type :
         {kSnappyCompression, kZlibCompression, kLZ4Compression, kZSTD}) {
      if (SupportsCompressionType(type)) types_.push_back(type);
    }
  }
  const char* Name() const override {
    return turn_ == Turn::kTables ? "MixedManager" : "BlockMixedManager";
  }
  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& options,
      CompressionType preferred) override {
    if (types_.empty() || preferred == kNoCompression) {
      return wrapped_->GetCompressorForSST(context, options, preferred);
    }
    if (turn_ == Turn::kTables) {
      return wrapped_->GetCompressorForSST(context, options,
                                           types_[next_++ % types_.size()]);
    }
    Compressors codecs;
    for (const CompressionType type : types_) {
      codecs.push_back(wrapped_->GetCompressor(options, type));
    }
    return std::make_unique<CodecPerBlock>(std::move(codecs));
  }

 private:
  const Turn turn_;
  std::vector<CompressionType> types_;
  std::atomic<size_t> next_{0};
};

}  // namespace

Status SetCompressionManager(const std::string& name,
                             ColumnFamilyOptions* family) {
  if (name == "none") return Status::OK();
  if (name == "mixed") {
    family->compression_manager = std::make_shared<MixedManager>(Turn::kTables);
  } else if (name == "randommixed") {
    family->compression_manager = std::make_shared<MixedManager>(Turn::kBlocks);
  } else if (name == "autoskip") {
    family->compression_manager = CreateAutoSkipCompressionManager();
  } else {
    return Status::InvalidArgument(
        "--compression_manager=" + name,
        "is none of none, mixed, randommixed and autoskip");
  }
  return Status::OK();
}

#else

Status SetCompressionManager(const std::string& name,
                             ColumnFamilyOptions* /*family*/) {
  return name == "none" ? Status::OK()
                        : Status::NotSupported("--compression_manager=" + name);
}

#endif

}  // namespace ROCKSDB_NAMESPACE::stress
