// Parts of options of single calls that are no plain fields.
#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/user_defined_index.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

using ReadExtra = Extra<ReadOptions>;

Value<ReadOptions>& ReadObject(const Pin<Value<ReadOptions>>& pin) {
  return *pin;
}

std::optional<ReadExtra::Bytes>& BytesField(ReadExtra& extra, jint which) {
  switch (which) {
    case 0:
      return extra.lower;
    case 1:
      return extra.upper;
    case 2:
      return extra.timestamp;
    case 3:
      return extra.start_timestamp;
    default:
      Fail(Wrong::kArgument, "no such part of ReadOptions");
  }
}

using CompactRange = Value<CompactRangeOptions>;
using CompactFiles = Value<CompactionOptions>;

}  // namespace

NATIVE(void, ReadParts, setBytes, jlong options, jint which, jbyteArray bytes) {
  Run(env, [&] {
    Pin<Value<ReadOptions>> target(options);
    auto& part = BytesField(ReadObject(target).extra, which);
    part.reset();
    if (bytes != nullptr) part = ReadExtra::Bytes{BytesOf(env, bytes), {}};
    target->extra.Attach(&target->rep);
  });
}

NATIVE(jbyteArray, ReadParts, getBytes, jlong options, jint which) {
  return Run(env, [&]() -> jbyteArray {
    Pin<Value<ReadOptions>> source(options);
    const auto& part = BytesField(ReadObject(source).extra, which);
    return part ? NewArray(env, part->bytes) : nullptr;
  });
}

NATIVE(void, ReadParts, setSnapshot, jlong options, jlong snapshot) {
  Run(env, [&] {
    Pin<Value<ReadOptions>> target(options);
    Pin<SnapshotObject> given(snapshot, true);
    target->extra.snapshot = snapshot;
    target->rep.snapshot = given ? given->rep.get() : nullptr;
  });
}

NATIVE(jlong, ReadParts, getSnapshot, jlong options) {
  return Run(env, [&]() -> jlong {
    return Pin<Value<ReadOptions>>(options)->extra.snapshot;
  });
}

NATIVE(void, ReadParts, setTableFilter, jlong options, jlong filter) {
  Run(env, [&] {
    Pin<Value<ReadOptions>> target(options);
    Pin<Shared<const TableFilterFunction>> given(filter, true);
    target->extra.filter = given ? given->rep : nullptr;
    target->extra.Attach(&target->rep);
  });
}

NATIVE(void, ReadParts, setIndexFactory, jlong options, jlong factory) {
  Run(env, [&] {
    Pin<Value<ReadOptions>> target(options);
    Pin<Shared<UserDefinedIndexFactory>> given(factory, true);
    target->extra.index_factory = given ? given->rep : nullptr;
    target->extra.Attach(&target->rep);
  });
}

// Null: none.
NATIVE(void, ReadParts, setRequestId, jlong options, jbyteArray id) {
  Run(env, [&] {
    Pin<Value<ReadOptions>> target(options);
    target->extra.request_id.reset();
    if (id != nullptr) target->extra.request_id = TextOf(env, id);
    target->extra.Attach(&target->rep);
  });
}

NATIVE(jbyteArray, ReadParts, getRequestId, jlong options) {
  return Run(env, [&]() -> jbyteArray {
    Pin<Value<ReadOptions>> source(options);
    const std::optional<std::string>& id = source->extra.request_id;
    return id ? NewArray(env, *id) : nullptr;
  });
}

NATIVE(void, CompactRangeParts, setHistory, jlong options, jlong start,
       jlong range) {
  Run(env, [&] {
    Pin<CompactRange> target(options);
    target->extra.history_start = start;
    target->extra.history_range = range;
    // A timestamp as the engine's own comparators have it: eight bytes, the
    // lowest first.
    std::string bytes;
    const auto low = static_cast<uint64_t>(start);
    for (int shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<char>(low >> shift));
    }
    target->extra.history = std::move(bytes);
    target->extra.Attach(&target->rep);
  });
}

NATIVE(jlongArray, CompactRangeParts, getHistory, jlong options) {
  return Run(env, [&] {
    Pin<CompactRange> source(options);
    std::vector<int64_t> parts;
    if (source->extra.history) {
      parts = {source->extra.history_start, source->extra.history_range};
    }
    return NewLongs(env, parts);
  });
}

NATIVE(void, CompactRangeParts, setCanceled, jlong options, jboolean canceled) {
  Run(env, [&] {
    Pin<CompactRange>(options)->extra.canceled->store(canceled != JNI_FALSE);
  });
}

NATIVE(jboolean, CompactRangeParts, isCanceled, jlong options) {
  return Run(env, [&]() -> jboolean {
    return Pin<CompactRange>(options)->extra.canceled->load();
  });
}

NATIVE(void, CompactRangeParts, setFilesCanceled, jlong options,
       jboolean canceled) {
  Run(env, [&] {
    Pin<CompactFiles>(options)->extra.canceled->store(canceled != JNI_FALSE);
  });
}

NATIVE(jboolean, CompactRangeParts, areFilesCanceled, jlong options) {
  return Run(env, [&]() -> jboolean {
    return Pin<CompactFiles>(options)->extra.canceled->load();
  });
}

NATIVE(void, CompactRangeParts, setTemperatureAges, jlong options,
       jbyteArray packed) {
  Run(env, [&] {
    PinStruct<CompactionOptionsFIFO> target(options);
    Unpacker in(BytesOf(env, packed));
    std::vector<FileTemperatureAge> ages(static_cast<size_t>(in.Int()));
    for (FileTemperatureAge& each : ages) {
      each.temperature = static_cast<Temperature>(in.Int());
      each.age = static_cast<uint64_t>(in.Long());
    }
    target->file_temperature_age_thresholds = std::move(ages);
  });
}

NATIVE(jbyteArray, CompactRangeParts, getTemperatureAges, jlong options) {
  return Run(env, [&] {
    PinStruct<CompactionOptionsFIFO> source(options);
    Packer out;
    out.Int(source->file_temperature_age_thresholds.size());
    for (const FileTemperatureAge& each :
         source->file_temperature_age_thresholds) {
      out.Enum(each.temperature);
      out.Long(each.age);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, FileParts, envOptionsOf, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<DBOptions> source(options);
    return PublishNew<Value<EnvOptions>>(std::in_place, *source);
  });
}

NATIVE(void, FileParts, setRateLimiter, jlong options, jlong limiter) {
  Run(env, [&] {
    PinStruct<EnvOptions> target(options);
    Pin<Shared<RateLimiter>> given(limiter, true);
    target->rate_limiter = given ? given->rep.get() : nullptr;
    target.object().kept[&target->rate_limiter] = given ? given->rep : nullptr;
  });
}

NATIVE(void, FileParts, setConfigEnv, jlong options, jlong environment) {
  Run(env, [&] {
    PinStruct<ConfigOptions> target(options);
    Pin<Shared<Env>> given(environment);
    target->env = given->rep.get();
    target.object().kept[&target->env] = given->rep;
  });
}

NATIVE(void, FileParts, setSanityLevel, jlong options, jint level) {
  Run(env, [&] {
    using Level = ConfigOptions::SanityLevel;
    PinStruct<ConfigOptions>(options)->sanity_level =
        level == 0   ? Level::kSanityLevelNone
        : level == 1 ? Level::kSanityLevelLooselyCompatible
                     : Level::kSanityLevelExactMatch;
  });
}

// By the places of Java's constants.
NATIVE(jint, FileParts, getSanityLevel, jlong options) {
  return Run(env, [&]() -> jint {
    using Level = ConfigOptions::SanityLevel;
    const Level level = PinStruct<ConfigOptions>(options)->sanity_level;
    return level == Level::kSanityLevelNone                ? 0
           : level == Level::kSanityLevelLooselyCompatible ? 1
                                                           : 2;
  });
}

NATIVE(void, FileParts, setTransactionComparator, jlong options,
       jlong comparator) {
  Run(env, [&] {
    PinStruct<OptimisticTransactionOptions> target(options);
    Pin<Shared<const Comparator>> given(comparator);
    target->cmp = given->rep.get();
    target.object().kept[&target->cmp] = given->rep;
  });
}

NATIVE(void, FileParts, setBackupObject, jlong options, jint which,
       jlong object) {
  Run(env, [&] {
    PinStruct<BackupEngineOptions> target(options);
    Kept& kept = target.object().kept;
    if (which == 0) {
      Pin<Shared<Env>> given(object, true);
      target->backup_env = given ? given->rep.get() : nullptr;
      kept[&target->backup_env] = given ? given->rep : nullptr;
    } else if (which == 1) {
      Pin<Shared<Logger>> given(object, true);
      target->info_log = given ? given->rep.get() : nullptr;
      kept[&target->info_log] = given ? given->rep : nullptr;
    } else {
      Pin<Shared<RateLimiter>> given(object, true);
      (which == 2 ? target->backup_rate_limiter
                  : target->restore_rate_limiter) =
          given ? given->rep : nullptr;
    }
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
