#include "tools/db_bench/engine_parts.h"

#include <atomic>
#include <map>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/version.h"
#include "tools/db_bench/engine_fields.h"
#include "tools/db_bench/stderr_logger.h"
#if __has_include("rocksdb/advanced_compression.h")
#include "rocksdb/advanced_compression.h"
#endif

namespace ROCKSDB_NAMESPACE {

// Declared here for engines without it; completed by the headers of the rest.
struct TieredCacheOptions;

namespace bench {

namespace {

// The enumerators of admission, by the names of the flag. A template, as not
// every engine has them.
template <typename TieredOptions>
bool SetPolicy(const std::string& name, TieredOptions* options) {
  using Policy = decltype(options->adm_policy);
  const std::map<std::string, Policy> policies = {
      {"auto", Policy::kAdmPolicyAuto},
      {"placeholder", Policy::kAdmPolicyPlaceholder},
      {"allow-cache-hits", Policy::kAdmPolicyAllowCacheHits},
      {"three-queue", Policy::kAdmPolicyThreeQueue},
      {"allow-all", Policy::kAdmPolicyAllowAll},
  };
  const auto policy = policies.find(name);
  if (policy == policies.end()) return false;
  options->adm_policy = policy->second;
  return true;
}

template <typename TieredOptions>
  requires requires { TieredOptions().total_capacity; }
Status MakeTiers(const TieredParts& parts, std::shared_ptr<Cache>* result) {
  TieredOptions options;
  if (!SetPolicy(parts.policy, &options)) {
    return Status::InvalidArgument("--tiered_adm_policy=" + parts.policy,
                                   "no such policy");
  }
  using Type = decltype(options.cache_type);
  options.cache_type =
      parts.is_hyper_clock ? Type::kCacheTypeHCC : Type::kCacheTypeLRU;
  options.cache_opts = parts.upper;
  options.comp_cache_opts = *parts.compressed;
  options.total_capacity = parts.upper->capacity + parts.compressed->capacity;
  options.compressed_secondary_ratio =
      static_cast<double>(parts.compressed->capacity) /
      static_cast<double>(options.total_capacity);
  options.nvm_sec_cache = parts.below;
  *result = NewTieredCache(options);
  if (*result != nullptr) return Status::OK();
  return Status::NotSupported("--use_tiered_cache",
                              "not with --tiered_adm_policy=" + parts.policy);
}

template <typename TieredOptions>
Status MakeTiers(const TieredParts& /*parts*/,
                 std::shared_ptr<Cache>* /*result*/) {
  return LacksPart("use_tiered_cache");
}

// The burst is the last parameter, of engines that have it.
template <typename Bytes>
Status MakeLimiter(const LimiterSettings& settings, Bytes burst_bytes,
                   std::shared_ptr<RateLimiter>* result) {
  constexpr int32_t kFairness = 10;
  if constexpr (requires {
                  NewGenericRateLimiter(Bytes(), Bytes(), kFairness,
                                        settings.mode, true, burst_bytes);
                }) {
    result->reset(NewGenericRateLimiter(
        settings.bytes_per_second, settings.refill_micros, kFairness,
        settings.mode, settings.is_auto_tuned, burst_bytes));
    return Status::OK();
  } else {
    if (burst_bytes != 0) return LacksPart("rate_limiter_single_burst_bytes");
    result->reset(NewGenericRateLimiter(settings.bytes_per_second,
                                        settings.refill_micros, kFairness,
                                        settings.mode, settings.is_auto_tuned));
    return Status::OK();
  }
}

template <typename Engine>
Status FollowLeader(const OpenRequest& request, const std::string& leader,
                    OpenAnswer<Engine>* answer) {
  if constexpr (requires(std::unique_ptr<Engine>* db) {
                  Engine::OpenAsFollower(request.options, leader, leader, db);
                }) {
    std::unique_ptr<Engine> db;
    Status s =
        request.families.empty()
            ? Engine::OpenAsFollower(request.options, request.path, leader, &db)
            : Engine::OpenAsFollower(request.options, request.path, leader,
                                     request.families, &answer->handles, &db);
    answer->db = db.release();
    return s;
  } else {
    return LacksPart("open_as_follower");
  }
}

template <typename AnyCache>
Status ReportProblems(AnyCache* cache, Env* /*env*/) {
  if constexpr (requires(const std::shared_ptr<Logger>& log) {
                  cache->ReportProblems(log);
                }) {
    cache->ReportProblems(NewStderrLogger());
    return Status::OK();
  } else {
    return Status::NotSupported("cache_report_problems",
                                "the engine's caches have no such report");
  }
}

}  // namespace

Status NewCacheOfTiers(const TieredParts& parts,
                       std::shared_ptr<Cache>* result) {
  return MakeTiers<TieredCacheOptions>(parts, result);
}

Status NewLimiter(const LimiterSettings& settings,
                  std::shared_ptr<RateLimiter>* result) {
  return MakeLimiter(settings, settings.burst_bytes, result);
}

Status MakeLastLevelWarm(ColumnFamilyOptions* cf) {
  if (DB_BENCH_SET_IF_THERE(cf, last_level_temperature, Temperature::kWarm) ||
      DB_BENCH_SET_IF_THERE(cf, bottommost_temperature, Temperature::kWarm)) {
    return Status::OK();
  }
  return LacksPart("simulate_hybrid_fs_file");
}

Status OpenFollower(const OpenRequest& request, const std::string& leader,
                    OpenAnswer<DB>* answer) {
  return FollowLeader<DB>(request, leader, answer);
}

Status ReportCacheProblems(Cache* cache, Env* env) {
  return ReportProblems(cache, env);
}

#if __has_include("rocksdb/advanced_compression.h")

namespace {

// Gives one file after the other another codec, of those that the program has.
class MixedCodecs final : public CompressionManagerWrapper {
 public:
  explicit MixedCodecs(const std::shared_ptr<CompressionManager>& wrapped)
      : CompressionManagerWrapper(wrapped) {
    for (const CompressionType type :
         {kSnappyCompression, kZlibCompression, kLZ4Compression,
          kLZ4HCCompression, kZSTD}) {
      if (wrapped->SupportsCompressionType(type)) types_.push_back(type);
    }
  }

  const char* Name() const override { return "MixedCodecs"; }

  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& options,
      CompressionType preferred) override {
    if (preferred == kNoCompression || types_.empty()) {
      return wrapped_->GetCompressorForSST(context, options, preferred);
    }
    const CompressionType type = types_[next_++ % types_.size()];
    return wrapped_->GetCompressorForSST(context, options, type);
  }

 private:
  std::vector<CompressionType> types_;
  std::atomic<size_t> next_{0};
};

}  // namespace

Status SetCompressionManager(const std::string& name, ColumnFamilyOptions* cf) {
  if (name == "mixed") {
    cf->compression_manager =
        std::make_shared<MixedCodecs>(GetBuiltinV2CompressionManager());
  } else if (name == "autoskip") {
    cf->compression_manager = CreateAutoSkipCompressionManager();
  } else if (name == "costpredictor") {
    cf->compression_manager = CreateCostAwareCompressionManager();
  } else {
    Status s = CompressionManager::CreateFromString(ConfigOptions(), name,
                                                    &cf->compression_manager);
    if (s.ok() && cf->compression_manager == nullptr) {
      s = Status::InvalidArgument("not known to this engine");
    }
    if (!s.ok()) {
      return Status::InvalidArgument("--compression_manager=" + name,
                                     s.ToString());
    }
  }
  return Status::OK();
}

#else

Status SetCompressionManager(const std::string& /*name*/,
                             ColumnFamilyOptions* /*cf*/) {
  return LacksPart("compression_manager");
}

#endif

}  // namespace bench
}  // namespace ROCKSDB_NAMESPACE
