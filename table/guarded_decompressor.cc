#include "table/guarded_decompressor.h"

#include <string>
#include <utility>

#include "options/user_code.h"
#include "util/builtin_compression.h"
#include "util/compression.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class GuardedDecompressor final : public DecompressorWrapper {
 public:
  GuardedDecompressor(std::shared_ptr<Decompressor> decompressor,
                      std::unique_ptr<const std::string> dictionary)
      : DecompressorWrapper(std::move(decompressor)),
        dictionary_(std::move(dictionary)) {}
  // It may refer to the dictionary until its end.
  ~GuardedDecompressor() override { wrapped_.reset(); }

  Status MaybeCloneForDict(const Slice& serialized_dict,
                           std::unique_ptr<Decompressor>* out) override {
    auto bytes = std::make_unique<const std::string>(serialized_dict.data(),
                                                     serialized_dict.size());
    std::unique_ptr<Decompressor> clone;
    Status s = CallUserCode(Name(), [&] {
      return wrapped_->MaybeCloneForDict(Slice(*bytes), &clone);
    });
    if (!s.ok()) return s;
    if (clone == nullptr) {
      return Status::NotSupported(Name(), "does not expand with a dictionary");
    }
    *out = std::make_unique<GuardedDecompressor>(std::move(clone),
                                                 std::move(bytes));
    return s;
  }

  size_t ApproximateOwnedMemoryUsage() const override {
    size_t bytes = 0;
    const Status s = CallUserCode(Name(), [&] {
      bytes = wrapped_->ApproximateOwnedMemoryUsage();
      return Status::OK();
    });
    IgnoreError(s, "an estimate less");
    return bytes + (dictionary_ != nullptr ? dictionary_->size() : 0);
  }

  Status ExtractUncompressedSize(Args& args) override {
    Status s = CallUserCode(
        Name(), [&] { return wrapped_->ExtractUncompressedSize(args); });
    if (s.ok() && args.uncompressed_size >= kMaxCompressibleSize) {
      return Status::Corruption(Name(), "uncompressed size is impossible");
    }
    return s;
  }

  Status DecompressBlock(const Args& args, char* uncompressed_output) override {
    return CallUserCode(Name(), [&] {
      ManagedWorkingArea area =
          wrapped_->ObtainWorkingArea(args.compression_type);
      Args with_area = args;
      with_area.working_area = &area;
      return wrapped_->DecompressBlock(with_area, uncompressed_output);
    });
  }

 private:
  const std::unique_ptr<const std::string> dictionary_;  // may be null
};

}  // namespace

std::shared_ptr<Decompressor> GuardDecompressor(
    std::shared_ptr<Decompressor> decompressor) {
  if (decompressor == nullptr ||
      dynamic_cast<BuiltinDecompressor*>(decompressor.get()) != nullptr) {
    return decompressor;
  }
  return std::make_shared<GuardedDecompressor>(std::move(decompressor),
                                               nullptr);
}

Status GuardedForDictionary(Decompressor* plain, const Slice& dictionary,
                            std::shared_ptr<Decompressor>* result) {
  std::unique_ptr<Decompressor> clone;
  Status s = plain->MaybeCloneForDict(dictionary, &clone);
  if (s.ok()) *result = std::move(clone);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
