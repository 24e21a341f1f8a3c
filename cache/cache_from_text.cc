#include "cache/cache_from_text.h"

#include "cache/compressed_secondary_cache.h"
#include "options/cache_rows.h"
#include "options/object_registry.h"
#include "options/parse.h"
#include "options/text.h"
#include "rocksdb/convenience.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

Status CacheFromText(const std::string& text, std::shared_ptr<Cache>* result) {
  LRUCacheOptions options;
  const std::string_view inner = StripBraces(text);
  if (inner.find('=') == std::string_view::npos) {
    if (!ParseSizeT(inner, &options.capacity)) {
      return Status::NotSupported("no cache of this name", std::string(inner));
    }
  } else {
    OptionTexts texts;
    Status s = SplitOptionText(inner, &texts);
    if (!s.ok()) return s;
    if (!texts.empty() && texts.front().first == "id") {
      if (texts.front().second != "LRUCache") {
        return Status::NotSupported("no cache of this name",
                                    texts.front().second);
      }
      texts.erase(texts.begin());
    }
    s = ParseOptions(ConfigOptions(), LRUCacheOptionStruct(), texts, &options);
    if (!s.ok()) return s;
  }
  std::shared_ptr<Cache> cache = options.MakeSharedCache();
  if (cache == nullptr) {
    return Status::InvalidArgument("no cache has these options", text);
  }
  *result = std::move(cache);
  return Status::OK();
}

Status SecondaryCacheFromText(const std::string& text,
                              std::shared_ptr<SecondaryCache>* result) {
  constexpr std::string_view kScheme = "compressed_secondary_cache://";
  const std::string_view whole = StripBraces(text);
  if (!whole.starts_with(kScheme)) {
    return Status::NotSupported("no secondary cache of this name", text);
  }
  OptionTexts texts;
  CompressedSecondaryCacheOptions options;
  Status s = SplitOptionText(whole.substr(kScheme.size()), &texts);
  if (s.ok()) {
    s = ParseOptions(ConfigOptions(), CompressedSecondaryCacheOptionStruct(),
                     texts, &options);
  }
  if (!s.ok()) return s;
  s = CompressedSecondaryCache::Validate(options);
  if (s.ok()) *result = options.MakeSharedSecondaryCache();
  return s;
}

void RegisterCacheFromText() {
  RegisterErasedObject(
      "Cache", "", ObjectMatch::kPrefix,
      [](const std::string& text, std::shared_ptr<void>* result) {
        std::shared_ptr<Cache> cache;
        Status s = CacheFromText(text, &cache);
        if (s.ok()) *result = std::move(cache);
        return s;
      });
}

namespace {

ROCKSDB_REGISTER_OBJECTS(RegisterCacheFromText);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
