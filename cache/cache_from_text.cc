#include "cache/cache_from_text.h"

#include <memory>
#include <string>

#include "cache/compressed_secondary_cache.h"
#include "cache/lru_cache.h"
#include "options/builtin_objects.h"
#include "options/cache_rows.h"
#include "options/parse.h"
#include "options/text.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/secondary_cache.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Takes the id off; false if it is that of another cache.
bool TakeLruId(OptionTexts* texts) {
  if (texts->empty() || texts->front().first != "id") return true;
  const bool is_lru = texts->front().second == "LRUCache";
  texts->erase(texts->begin());
  return is_lru;
}

// The options behind "://" in an id.
Status OptionsBehindScheme(const std::string& id, OptionTexts* texts) {
  const size_t scheme = id.find("://");
  if (scheme == std::string::npos) return Status::OK();
  return SplitOptionText(id.substr(scheme + 3), texts);
}

// `id` is a size, "LRUCache" or LRUCache://options.
Status LruOptionsFrom(const std::string& id, LRUCacheOptions* options) {
  if (NumberEntry().Matches(id)) {
    const bool is_size = id.find('-') == std::string::npos;
    if (is_size && ParseSizeT(id, &options->capacity)) return Status::OK();
    return Status::InvalidArgument("not a size", id);
  }
  OptionTexts texts;
  if (Status s = OptionsBehindScheme(id, &texts); !s.ok()) return s;
  if (!TakeLruId(&texts)) return Status::InvalidArgument("not an LRUCache", id);
  return ParseOptions(ConfigOptions(), LRUCacheOptionStruct(), texts, options);
}

Cache* MakeLruFromText(const std::string& id, std::unique_ptr<Cache>* guard,
                       std::string* message) {
  LRUCacheOptions options;
  Status s = LruOptionsFrom(id, &options);
  if (s.ok()) s = ValidateLruOptions(options);
  if (s.ok()) {
    *guard = std::make_unique<LruCache>(options, nullptr);
  } else {
    *message = s.ToString();
  }
  return guard->get();
}

SecondaryCache* MakeCompressedFromText(const std::string& id,
                                       std::unique_ptr<SecondaryCache>* guard,
                                       std::string* message) {
  OptionTexts texts;
  CompressedSecondaryCacheOptions options;
  Status s = OptionsBehindScheme(id, &texts);
  if (s.ok()) {
    s = ParseOptions(ConfigOptions(), CompressedSecondaryCacheOptionStruct(),
                     texts, &options);
  }
  if (s.ok()) s = CompressedSecondaryCache::Validate(options);
  if (s.ok()) {
    *guard = std::make_unique<CompressedSecondaryCache>(options);
  } else {
    *message = s.ToString();
  }
  return guard->get();
}

void AddCaches() {
  using PatternEntry = ObjectLibrary::PatternEntry;
  ObjectLibrary& library = *BuiltinLibrary();
  library.AddFactory<Cache>(std::make_unique<NumberEntry>(), MakeLruFromText);
  library.AddFactory<Cache>(PatternEntry("LRUCache").AddSeparator("://", false),
                            MakeLruFromText);
  library.AddFactory<SecondaryCache>(
      PatternEntry("compressed_secondary_cache", false)
          .AddSeparator("://", false),
      MakeCompressedFromText);
}

}  // namespace

void RegisterCacheFromText() {
  static const bool done = (AddCaches(), true);
  (void)done;
}

namespace {

ROCKSDB_REGISTER_OBJECTS(RegisterCacheFromText);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
