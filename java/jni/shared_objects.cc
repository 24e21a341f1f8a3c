// SharedObjects and TableFactories: what databases share.
#include "java/jni/packing.h"
#include "java/jni/values.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/concurrent_task_limiter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/persistent_cache.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/table.h"
#include "rocksdb/user_defined_index.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

size_t SizeOf(jlong value, const char* name) {
  if (value < 0) {
    Fail(Wrong::kArgument, std::string(name) + " is less than 0");
  }
  return static_cast<size_t>(value);
}

std::shared_ptr<Cache> NewLru(jlong capacity, jint shard_bits, bool is_strict,
                              double high_ratio, double low_ratio) {
  LRUCacheOptions options;
  options.capacity = SizeOf(capacity, "the capacity");
  options.num_shard_bits = shard_bits;
  options.strict_capacity_limit = is_strict;
  options.high_pri_pool_ratio = high_ratio;
  options.low_pri_pool_ratio = low_ratio;
  std::shared_ptr<Cache> cache = options.MakeSharedCache();
  if (cache == nullptr) Fail(Wrong::kArgument, "no cache can be like this");
  return cache;
}

std::shared_ptr<MergeOperator> OperatorNamed(const std::string& name) {
  std::shared_ptr<MergeOperator> made;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  Check(MergeOperator::CreateFromString(config, name, &made));
  return made;
}

CacheEntryRoleOptions ReadDecision(Unpacker& in) {
  return {static_cast<CacheEntryRoleOptions::Decision>(in.Int())};
}

// Drops entries without a value.
class RemoveEmptyValues : public CompactionFilter {
 public:
  const char* Name() const override {
    return "RemoveEmptyValueCompactionFilter";
  }
  bool Filter(int, const Slice&, const Slice& value, std::string*,
              bool*) const override {
    return value.empty();
  }
};

}  // namespace

NATIVE(jlong, SharedObjects, lruCache, jlong capacity, jint shard_bits,
       jboolean is_strict, jdouble high_ratio, jdouble low_ratio) {
  return Run(env, [&]() -> jlong {
    return Share(
        NewLru(capacity, shard_bits, is_strict, high_ratio, low_ratio));
  });
}

NATIVE(jlong, SharedObjects, hyperClockCache, jlong capacity,
       jlong entry_charge, jint shard_bits, jboolean is_strict) {
  return Run(env, [&]() -> jlong {
    HyperClockCacheOptions options(SizeOf(capacity, "the capacity"),
                                   SizeOf(entry_charge, "the entry charge"),
                                   shard_bits, is_strict != JNI_FALSE);
    std::shared_ptr<Cache> cache = options.MakeSharedCache();
    if (cache == nullptr) Fail(Wrong::kArgument, "no cache can be like this");
    return Share(cache);
  });
}

NATIVE(jlong, SharedObjects, cacheUsage, jlong cache) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(Pin<Shared<Cache>>(cache)->rep->GetUsage());
  });
}

NATIVE(jlong, SharedObjects, cachePinnedUsage, jlong cache) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(Pin<Shared<Cache>>(cache)->rep->GetPinnedUsage());
  });
}

NATIVE(jlong, SharedObjects, persistentCache, jlong environment,
       jbyteArray path, jlong size, jlong logger, jboolean optimized_for_nvm) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Env>> where(environment);
    Pin<Shared<Logger>> log(logger, true);
    std::shared_ptr<PersistentCache> cache;
    Check(NewPersistentCache(
        where->rep.get(), TextOf(env, path), static_cast<uint64_t>(size),
        log ? log->rep : nullptr, optimized_for_nvm != JNI_FALSE, &cache));
    return Share(cache);
  });
}

NATIVE(jlong, SharedObjects, bloomFilter, jdouble bits_per_key) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<const FilterPolicy>(
        NewBloomFilterPolicy(bits_per_key)));
  });
}

NATIVE(jlong, SharedObjects, rateLimiter, jlong bytes_per_second,
       jlong refill_micros, jint fairness, jbyte mode, jboolean auto_tune) {
  return Run(env, [&]() -> jlong {
    if (bytes_per_second <= 0 || refill_micros <= 0) {
      Fail(Wrong::kArgument, "a rate limiter needs a rate and a period");
    }
    return Share(std::shared_ptr<RateLimiter>(NewGenericRateLimiter(
        bytes_per_second, refill_micros, fairness,
        static_cast<RateLimiter::Mode>(mode), auto_tune != JNI_FALSE)));
  });
}

NATIVE(void, SharedObjects, setRate, jlong limiter, jlong rate) {
  Run(env, [&] {
    if (rate <= 0) Fail(Wrong::kArgument, "the rate is not above 0");
    Pin<Shared<RateLimiter>>(limiter)->rep->SetBytesPerSecond(rate);
  });
}

NATIVE(jlong, SharedObjects, rate, jlong limiter) {
  return Run(env, [&]() -> jlong {
    return Pin<Shared<RateLimiter>>(limiter)->rep->GetBytesPerSecond();
  });
}

NATIVE(void, SharedObjects, request, jlong limiter, jlong bytes) {
  Run(env, [&] {
    Pin<Shared<RateLimiter>> pin(limiter);
    if (bytes < 0 || bytes > pin->rep->GetSingleBurstBytes()) {
      Fail(Wrong::kArgument, "more than one burst is asked for");
    }
    // A limiter does not hold IO_TOTAL back, so the request names one priority.
    pin->rep->Request(bytes, Env::IO_USER, nullptr,
                      RateLimiter::OpType::kWrite);
  });
}

NATIVE(jlong, SharedObjects, singleBurst, jlong limiter) {
  return Run(env, [&]() -> jlong {
    return Pin<Shared<RateLimiter>>(limiter)->rep->GetSingleBurstBytes();
  });
}

NATIVE(jlong, SharedObjects, totalThrough, jlong limiter) {
  return Run(env, [&]() -> jlong {
    return Pin<Shared<RateLimiter>>(limiter)->rep->GetTotalBytesThrough();
  });
}

NATIVE(jlong, SharedObjects, totalRequests, jlong limiter) {
  return Run(env, [&]() -> jlong {
    return Pin<Shared<RateLimiter>>(limiter)->rep->GetTotalRequests();
  });
}

NATIVE(jlong, SharedObjects, writeBufferManager, jlong size, jlong cache,
       jboolean allow_stall) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Cache>> given(cache, true);
    return Share(std::make_shared<WriteBufferManager>(
        SizeOf(size, "the size"), given ? given->rep : nullptr,
        allow_stall != JNI_FALSE));
  });
}

NATIVE(jlong, SharedObjects, stringAppend, jbyteArray delimiter) {
  return Run(env, [&]() -> jlong {
    std::shared_ptr<MergeOperator> made = OperatorNamed("stringappend");
    ConfigOptions config;
    Check(made->ConfigureOption(config, "delimiter", TextOf(env, delimiter)));
    return Share(made);
  });
}

NATIVE(jlong, SharedObjects, uint64Add) {
  return Run(env, [&]() -> jlong { return Share(OperatorNamed("uint64add")); });
}

NATIVE(jlong, SharedObjects, removeEmptyValues) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<const CompactionFilter>(
        std::make_shared<RemoveEmptyValues>()));
  });
}

NATIVE(jlong, SharedObjects, taskLimiter, jbyteArray name, jint limit) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<ConcurrentTaskLimiter>(
        NewConcurrentTaskLimiter(TextOf(env, name), limit)));
  });
}

NATIVE(jbyteArray, SharedObjects, taskLimiterName, jlong limiter) {
  return Run(env, [&] {
    Pin<Shared<ConcurrentTaskLimiter>> pin(limiter);
    return NewArray(env, pin->rep->GetName());
  });
}

NATIVE(void, SharedObjects, setMaxOutstanding, jlong limiter, jint limit) {
  Run(env, [&] {
    Pin<Shared<ConcurrentTaskLimiter>>(limiter)->rep->SetMaxOutstandingTask(
        limit);
  });
}

NATIVE(void, SharedObjects, resetMaxOutstanding, jlong limiter) {
  Run(env, [&] {
    Pin<Shared<ConcurrentTaskLimiter>>(limiter)->rep->ResetMaxOutstandingTask();
  });
}

NATIVE(jint, SharedObjects, outstanding, jlong limiter) {
  return Run(env, [&]() -> jint {
    return Pin<Shared<ConcurrentTaskLimiter>>(limiter)
        ->rep->GetOutstandingTask();
  });
}

NATIVE(jlong, SharedObjects, fixedPrefixPartitioner, jlong length) {
  return Run(env, [&]() -> jlong {
    return Share(NewSstPartitionerFixedPrefixFactory(
        SizeOf(length, "the length of the prefix")));
  });
}

NATIVE(jlong, SharedObjects, compactOnDeletion, jlong window, jlong trigger,
       jdouble ratio) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<TablePropertiesCollectorFactory>(
        NewCompactOnDeletionCollectorFactory(SizeOf(window, "the window"),
                                             SizeOf(trigger, "the trigger"),
                                             ratio)));
  });
}

NATIVE(jlong, TableFactories, blockBased, jlong options, jlong cache,
       jlong persistent_cache, jlong filter, jlong own_cache_size,
       jint own_cache_shard_bits) {
  return Run(env, [&]() -> jlong {
    PinStruct<BlockBasedTableOptions> source(options);
    Pin<Shared<Cache>> given_cache(cache, true);
    Pin<Shared<PersistentCache>> given_persistent(persistent_cache, true);
    Pin<Shared<const FilterPolicy>> given_filter(filter, true);
    BlockBasedTableOptions made = *source;
    if (given_cache) {
      made.block_cache = given_cache->rep;
    } else if (own_cache_size > 0) {
      const int bits = own_cache_shard_bits > 0 ? own_cache_shard_bits : -1;
      made.block_cache = NewLru(own_cache_size, bits, false, 0.0, 0.0);
    }
    if (given_persistent) made.persistent_cache = given_persistent->rep;
    if (given_filter) made.filter_policy = given_filter->rep;
    return Share(
        std::shared_ptr<TableFactory>(NewBlockBasedTableFactory(made)));
  });
}

NATIVE(void, TableFactories, setFlushBlockPolicy, jlong options,
       jlong factory) {
  Run(env, [&] {
    PinStruct<BlockBasedTableOptions> target(options);
    Pin<Shared<FlushBlockPolicyFactory>> given(factory, true);
    target->flush_block_policy_factory = given ? given->rep : nullptr;
  });
}

// A new handle, or 0 if it is the default one.
NATIVE(jlong, TableFactories, flushBlockPolicy, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<BlockBasedTableOptions> source(options);
    const auto& factory = source->flush_block_policy_factory;
    const bool is_default =
        factory == nullptr ||
        factory->IsInstanceOf(FlushBlockBySizePolicyFactory::kClassName());
    return is_default ? 0 : Share(factory);
  });
}

NATIVE(void, TableFactories, setIndexFactory, jlong options, jlong factory) {
  Run(env, [&] {
    PinStruct<BlockBasedTableOptions> target(options);
    Pin<Shared<UserDefinedIndexFactory>> given(factory, true);
    target->user_defined_index_factory = given ? given->rep : nullptr;
  });
}

// A new handle, or 0 if there is none.
NATIVE(jlong, TableFactories, indexFactory, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<BlockBasedTableOptions> source(options);
    const auto& factory = source->user_defined_index_factory;
    return factory == nullptr ? 0 : Share(factory);
  });
}

NATIVE(void, TableFactories, setCacheUsage, jlong options, jbyteArray packed) {
  Run(env, [&] {
    PinStruct<BlockBasedTableOptions> target(options);
    Unpacker in(BytesOf(env, packed));
    CacheUsageOptions usage;
    usage.options = ReadDecision(in);
    for (int32_t left = in.Int(); left > 0; --left) {
      const auto role = static_cast<CacheEntryRole>(in.Int());
      usage.options_overrides[role] = ReadDecision(in);
    }
    target->cache_usage_options = std::move(usage);
  });
}

NATIVE(jlong, TableFactories, plain, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<PlainTableOptions> source(options);
    return Share(std::shared_ptr<TableFactory>(NewPlainTableFactory(*source)));
  });
}

NATIVE(jlong, TableFactories, skipList, jlong lookahead) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<MemTableRepFactory>(
        std::make_shared<SkipListFactory>(SizeOf(lookahead, "the lookahead"))));
  });
}

NATIVE(jlong, TableFactories, vector, jlong reserved) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<MemTableRepFactory>(
        std::make_shared<VectorRepFactory>(SizeOf(reserved, "the size"))));
  });
}

NATIVE(jlong, TableFactories, hashSkipList, jlong buckets, jint height,
       jint branching) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(
        SizeOf(buckets, "the number of buckets"), height, branching)));
  });
}

NATIVE(jlong, TableFactories, hashLinkedList, jlong buckets,
       jlong huge_page_size, jint logging_threshold, jboolean log_distribution,
       jint threshold_use_skiplist) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<MemTableRepFactory>(NewHashLinkListRepFactory(
        SizeOf(buckets, "the number of buckets"),
        SizeOf(huge_page_size, "the page size"), logging_threshold,
        log_distribution != JNI_FALSE,
        static_cast<uint32_t>(threshold_use_skiplist))));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
