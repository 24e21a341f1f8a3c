#include "cache/cache_from_text.h"

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
