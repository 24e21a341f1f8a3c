// What compression managers do where their class does not say, and the built-in
// one.
#include "options/builtin_compression_manager.h"
#include "rocksdb/convenience.h"
#include "util/builtin_compression.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<CompressionManager>
CompressionManager::FindCompatibleCompressionManager(Slice compatibility_name) {
  if (compatibility_name == Slice(CompatibilityName())) {
    return weak_from_this().lock();
  }
  std::shared_ptr<CompressionManager> found;
  const Status s =
      CreateFromString(ConfigOptions(), compatibility_name.ToString(), &found);
  if (!s.ok()) found.reset();
  return found;
}

std::string CompressionManager::CompressionTypeToString(
    CompressionType type) const {
  return ROCKSDB_NAMESPACE::CompressionTypeToString(type);
}

std::unique_ptr<Compressor> CompressionManager::GetCompressorForSST(
    const FilterBuildingContext& /*context*/, const CompressionOptions& opts,
    CompressionType preferred) {
  return GetCompressor(opts, preferred);
}

// --- The built-in manager ----------------------------------------------------

std::unique_ptr<Compressor> BuiltinCompressionManager::GetCompressor(
    const CompressionOptions& opts, CompressionType type) {
  std::unique_ptr<BuiltinCompressor> made;
  if (!BuiltinCompressor::Create(type, opts, Slice(), &made).ok()) {
    return nullptr;
  }
  return made;
}

std::shared_ptr<Decompressor> BuiltinCompressionManager::GetDecompressor() {
  return BuiltinDecompressor::Shared(kFirstManagedVersion);
}

const std::shared_ptr<CompressionManager>& GetBuiltinV2CompressionManager() {
  static NoDestructor<std::shared_ptr<CompressionManager>> manager(
      std::make_shared<BuiltinCompressionManager>());
  return *manager;
}

}  // namespace ROCKSDB_NAMESPACE
