// What compressors and decompressors do where their class does not say.
#include <utility>

#include "rocksdb/advanced_compression.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

Compressor::DictConfig Compressor::GetDictGuidance(
    CacheEntryRole /*block_type*/) const {
  return DictDisabled{};
}

std::unique_ptr<Compressor> Compressor::MaybeCloneSpecialized(
    CacheEntryRole /*block_type*/, DictConfigArgs&& /*dict_config*/) const {
  return nullptr;
}

std::unique_ptr<Compressor> Compressor::CloneMaybeSpecialized(
    CacheEntryRole block_type, DictConfigArgs&& dict_config) const {
  auto clone = MaybeCloneSpecialized(block_type, std::move(dict_config));
  return clone != nullptr ? std::move(clone) : Clone();
}

std::shared_ptr<Decompressor> Compressor::GetOptimizedDecompressor() const {
  return nullptr;
}

const Slice& Decompressor::GetSerializedDict() const {
  static const Slice kNone;
  return kNone;
}

Status Decompressor::MaybeCloneForDict(const Slice& /*serialized_dict*/,
                                       std::unique_ptr<Decompressor>* /*out*/) {
  return Status::NotSupported("no dictionaries", Name());
}

Status Decompressor::ExtractUncompressedSize(Args& args) {
  if (GetVarint64(&args.compressed_data, &args.uncompressed_size)) {
    return Status::OK();
  }
  return Status::Corruption("uncompressed size is cut off", Name());
}

}  // namespace ROCKSDB_NAMESPACE
