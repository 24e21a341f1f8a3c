#include "table/file_decompressor.h"

#include <vector>

#include "options/user_code.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/convenience.h"
#include "rocksdb/slice.h"
#include "table/guarded_decompressor.h"
#include "util/builtin_compression.h"
#include "util/compression.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Manager = std::shared_ptr<CompressionManager>;

struct CompressionMark {
  std::string manager;  // empty: nothing is compressed
  std::vector<CompressionType> types;
};

Status BadMark(const std::string& property) {
  return Status::Corruption("property rocksdb.compression: '" + property + "'");
}

// "BuiltinV2;0407;", and what more a later version may put behind.
Status ParseMark(const std::string& property, CompressionMark* mark) {
  const size_t first = property.find(';');
  if (first == std::string::npos) return BadMark(property);
  const size_t second = property.find(';', first + 1);
  std::string types;
  if (second == std::string::npos ||
      !Slice(property.substr(first + 1, second - first - 1))
           .DecodeHex(&types)) {
    return BadMark(property);
  }
  mark->manager = property.substr(0, first);
  for (const char byte : types) {
    const auto type = static_cast<CompressionType>(byte);
    if (type == kNoCompression || type == kDisableCompressionOption) {
      return BadMark(property);
    }
    mark->types.push_back(type);
  }
  return Status::OK();
}

Manager ManagerNamed(const std::string& name, const Manager& configured) {
  Manager found;
  if (configured != nullptr) {
    found = configured->FindCompatibleCompressionManager(name);
  }
  if (found != nullptr) return found;
  if (name == kBuiltinCompatibility) return GetBuiltinV2CompressionManager();
  IgnoreError(
      CompressionManager::CreateFromString(ConfigOptions(), name, &found),
      "whether there is one is all that counts");
  return found;
}

}  // namespace

Status FindDecompressor(const CompressionOrigin& origin,
                        std::shared_ptr<Decompressor>* result) {
  CompressionMark mark;
  const bool has_mark =
      origin.format_version >= kFirstManagedVersion && !origin.property.empty();
  if (has_mark) {
    if (Status s = ParseMark(origin.property, &mark); !s.ok()) return s;
  } else {
    mark.manager = kBuiltinCompatibility;
  }
  // Only the built-in manager knows the layout of files before version 2.
  const bool is_builtin =
      mark.manager.empty() || origin.format_version < 2 ||
      (origin.configured == nullptr && mark.manager == kBuiltinCompatibility);
  if (is_builtin) {
    *result = BuiltinDecompressor::Shared(origin.format_version);
    return Status::OK();
  }
  std::shared_ptr<Decompressor> found;
  bool is_known = false;
  Status s = CallUserCode("CompressionManager " + mark.manager, [&] {
    const Manager manager = ManagerNamed(mark.manager, origin.configured);
    is_known = manager != nullptr;
    if (!is_known) return Status::OK();
    found = has_mark
                ? manager->GetDecompressorForTypes(
                      mark.types.data(), mark.types.data() + mark.types.size())
                : manager->GetDecompressor();
    return Status::OK();
  });
  if (!s.ok()) return s;
  if (!is_known) {
    return Status::NotSupported(
        "compression manager '" + mark.manager + "' is not known",
        "it has to be in the options, or registered");
  }
  if (found == nullptr && !mark.types.empty()) {
    return Status::NotSupported("compression manager '" + mark.manager +
                                "' has no decompressor");
  }
  *result = GuardDecompressor(std::move(found));
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
