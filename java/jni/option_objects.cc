// OptionObjects: options that are objects, lists or structs.
#include <algorithm>

#include "java/jni/packing.h"
#include "java/jni/unknown_operator.h"
#include "java/jni/values.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/concurrent_task_limiter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// A field that shares its object.
template <class S, class Owner, class T>
void SetShared(jlong options, std::shared_ptr<T> Owner::*field, jlong object) {
  PinStruct<S> target(options);
  Pin<Shared<T>> value(object, true);
  (*target).*field = value ? value->rep : nullptr;
}

// A field that points to its object, which the options then keep alive.
template <class S, class T>
void SetPointer(jlong options, T* S::*field, jlong object, T* none) {
  PinStruct<S> target(options);
  Pin<Shared<T>> value(object, true);
  T*& pointer = (*target).*field;
  pointer = value ? value->rep.get() : none;
  if (value) {
    target.object().kept[&pointer] = value->rep;
  } else {
    target.object().kept.erase(&pointer);
  }
}

using FamilyOptions = ColumnFamilyOptions;

void SetInplaceCallback(jlong options, jlong object) {
  PinStruct<FamilyOptions> target(options);
  Pin<Shared<const InplaceFunction>> given(object, true);
  auto& field = target->inplace_callback;
  field = given ? given->rep->call : nullptr;
  if (given) {
    target.object().kept[&field] = given->rep;
  } else {
    target.object().kept.erase(&field);
  }
}

// Those that RocksDB's Java has not.
void SetOwnObject(jlong options, jint which, jlong object) {
  switch (which) {
    case 16:
      return SetShared<DBOptions>(
          options, &DBOptions::file_checksum_gen_factory, object);
    case 17:
      return SetShared<DBOptions>(options, &DBOptions::compaction_service,
                                  object);
    case 18:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::compression_manager, object);
    case 19:
      return SetShared<FamilyOptions>(options, &FamilyOptions::blob_cache,
                                      object);
    case 20:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::memtable_insert_with_hint_prefix_extractor,
          object);
    case 21:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::blob_direct_write_partition_strategy,
          object);
    case 22:
      return SetInplaceCallback(options, object);
    default:
      Fail(Wrong::kArgument, "no such object among the options");
  }
}

void SetObject(jlong options, jint which, jlong object) {
  switch (which) {
    case 0:
      return SetPointer<DBOptions, Env>(options, &DBOptions::env, object,
                                        Env::Default());
    case 1:
      return SetShared<DBOptions>(options, &DBOptions::rate_limiter, object);
    case 2:
      return SetShared<DBOptions>(options, &DBOptions::sst_file_manager,
                                  object);
    case 3:
      return SetShared<DBOptions>(options, &DBOptions::info_log, object);
    case 4:
      return SetShared<DBOptions>(options, &DBOptions::statistics, object);
    case 5:
      return SetShared<DBOptions>(options, &DBOptions::write_buffer_manager,
                                  object);
    case 6:
      return SetShared<DBOptions>(options, &DBOptions::row_cache, object);
    case 7:
      return SetPointer<DBOptions, WalFilter>(options, &DBOptions::wal_filter,
                                              object, nullptr);
    case 8:
      return SetPointer<FamilyOptions, const Comparator>(
          options, &FamilyOptions::comparator, object, BytewiseComparator());
    case 9:
      return SetShared<FamilyOptions>(options, &FamilyOptions::merge_operator,
                                      object);
    case 10:
      return SetPointer<FamilyOptions, const CompactionFilter>(
          options, &FamilyOptions::compaction_filter, object, nullptr);
    case 11:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::compaction_filter_factory, object);
    case 12:
      return SetShared<FamilyOptions>(options, &FamilyOptions::memtable_factory,
                                      object);
    case 13:
      return SetShared<FamilyOptions>(options, &FamilyOptions::table_factory,
                                      object);
    case 14:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::sst_partitioner_factory, object);
    case 15:
      return SetShared<FamilyOptions>(
          options, &FamilyOptions::compaction_thread_limiter, object);
    default:
      return SetOwnObject(options, which, object);
  }
}

std::vector<DbPath>& PathsOf(StructObject& object, bool of_family) {
  if (of_family) {
    auto* family = object.Struct<FamilyOptions>();
    if (family != nullptr) return family->cf_paths;
  } else {
    auto* database = object.Struct<DBOptions>();
    if (database != nullptr) return database->db_paths;
  }
  Fail(Wrong::kArgument, "the options object has no paths");
}

ConfigOptions ConfigOf(const Pin<StructObject>& object) {
  ConfigOptions config;
  if (object) {
    auto* given = object->Struct<ConfigOptions>();
    if (given == nullptr) Fail(Wrong::kArgument, "no ConfigOptions");
    config = *given;
  }
  return config;
}

}  // namespace

NATIVE(void, OptionObjects, set, jlong options, jint which, jlong object) {
  Run(env, [&] { SetObject(options, which, object); });
}

NATIVE(jlong, OptionObjects, get, jlong options, jint which) {
  return Run(env, [&]() -> jlong {
    PinStruct<DBOptions> source(options);
    if (which != 4) Fail(Wrong::kArgument, "no such object");
    return source->statistics == nullptr ? 0 : Share(source->statistics);
  });
}

NATIVE(void, OptionObjects, setStruct, jlong options, jint which, jlong from) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    switch (which) {
      case 0:
        target->compression_opts = *PinStruct<CompressionOptions>(from);
        return;
      case 1:
        target->bottommost_compression_opts =
            *PinStruct<CompressionOptions>(from);
        return;
      case 2:
        target->compaction_options_universal =
            *PinStruct<CompactionOptionsUniversal>(from);
        return;
      case 3:
        target->compaction_options_fifo =
            *PinStruct<CompactionOptionsFIFO>(from);
        return;
      case 4:
        target->blob_compression_opts = *PinStruct<CompressionOptions>(from);
        return;
      default:
        Fail(Wrong::kArgument, "no such struct among the options");
    }
  });
}

NATIVE(void, OptionObjects, increaseParallelism, jlong options, jint threads) {
  Run(env,
      [&] { PinStruct<DBOptions>(options)->IncreaseParallelism(threads); });
}

NATIVE(void, OptionObjects, setPaths, jlong options, jboolean of_family,
       jbyteArray packed) {
  Run(env, [&] {
    Pin<StructObject> object(options);
    Unpacker in(BytesOf(env, packed));
    std::vector<DbPath> paths(static_cast<size_t>(in.Int()));
    for (DbPath& path : paths) {
      path.path = in.Text();
      path.target_size = static_cast<uint64_t>(in.Long());
    }
    PathsOf(*object, of_family) = std::move(paths);
  });
}

NATIVE(jbyteArray, OptionObjects, getPaths, jlong options, jboolean of_family) {
  return Run(env, [&] {
    Pin<StructObject> object(options);
    const auto& paths = PathsOf(*object, of_family);
    Packer out;
    out.Int(paths.size());
    for (const DbPath& path : paths) {
      out.Text(path.path);
      out.Long(path.target_size);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, OptionObjects, setListeners, jlong options, jlongArray listeners) {
  Run(env, [&] {
    PinStruct<DBOptions> target(options);
    std::vector<std::shared_ptr<EventListener>> given;
    for (const Handle listener : LongsOf(env, listeners)) {
      given.push_back(Pin<Shared<EventListener>>(listener)->rep);
    }
    target->listeners = std::move(given);
  });
}

NATIVE(jlong, OptionObjects, databaseOptionsFrom, jlong config,
       jbyteArray text) {
  return Run(env, [&]() -> jlong {
    Pin<StructObject> given(config, true);
    auto made = std::make_unique<Value<DBOptions>>(std::in_place);
    const Status status = GetDBOptionsFromString(ConfigOf(given), DBOptions(),
                                                 TextOf(env, text), &made->rep);
    return status.ok() ? Publish(std::move(made)) : 0;
  });
}

NATIVE(jlong, OptionObjects, familyOptionsFrom, jlong config, jbyteArray text) {
  return Run(env, [&]() -> jlong {
    Pin<StructObject> given(config, true);
    auto made = std::make_unique<Value<FamilyOptions>>(std::in_place);
    const Status status = GetColumnFamilyOptionsFromString(
        ConfigOf(given), FamilyOptions(), TextOf(env, text), &made->rep);
    return status.ok() ? Publish(std::move(made)) : 0;
  });
}

NATIVE(void, OptionObjects, optimizeDatabaseForSmallDb, jlong options) {
  Run(env, [&] { PinStruct<DBOptions>(options)->OptimizeForSmallDb(); });
}

NATIVE(void, OptionObjects, optimizeFamilyForSmallDb, jlong options,
       jlong cache) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    Pin<Shared<Cache>> given(cache, true);
    if (given) {
      std::shared_ptr<Cache> shared = given->rep;
      target->OptimizeForSmallDb(&shared);
    } else {
      target->OptimizeForSmallDb();
    }
  });
}

NATIVE(void, OptionObjects, optimizeForPointLookup, jlong options,
       jlong cache_megabytes) {
  Run(env, [&] {
    PinStruct<FamilyOptions>(options)->OptimizeForPointLookup(
        static_cast<uint64_t>(cache_megabytes));
  });
}

NATIVE(void, OptionObjects, optimizeCompaction, jlong options,
       jboolean is_universal, jlong budget) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    const auto bytes = static_cast<uint64_t>(budget);
    if (is_universal) {
      target->OptimizeUniversalStyleCompaction(bytes);
    } else {
      target->OptimizeLevelStyleCompaction(bytes);
    }
  });
}

NATIVE(void, OptionObjects, prepareForBulkLoad, jlong options) {
  Run(env, [&] { PinStruct<Options>(options)->PrepareForBulkLoad(); });
}

NATIVE(void, OptionObjects, oldDefaults, jlong options, jint major,
       jint minor) {
  Run(env, [&] {
    Pin<StructObject> object(options);
    if (auto* both = object->Struct<Options>()) {
      both->OldDefaults(major, minor);
    } else {
      PinStruct<FamilyOptions>(options)->OldDefaults(major, minor);
    }
  });
}

NATIVE(void, OptionObjects, setBuiltinComparator, jlong options, jint which) {
  Run(env, [&] {
    PinStruct<FamilyOptions>(options)->comparator =
        which == 1 ? ReverseBytewiseComparator() : BytewiseComparator();
  });
}

NATIVE(void, OptionObjects, setMergeOperatorName, jlong options,
       jbyteArray name) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    std::shared_ptr<MergeOperator> made;
    const std::string text = TextOf(env, name);
    // "" is nothing to name: no operator.
    if (!text.empty()) {
      const Status status =
          MergeOperator::CreateFromString(ConfigOptions(), text, &made);
      if (!status.ok() || made == nullptr) {
        made = std::make_shared<UnknownOperator>(text);
      }
    }
    target->merge_operator = std::move(made);
  });
}

NATIVE(void, OptionObjects, setPrefixLength, jlong options, jboolean is_fixed,
       jint length) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    const auto size = static_cast<size_t>(std::max(length, 0));
    target->prefix_extractor.reset(is_fixed ? NewFixedPrefixTransform(size)
                                            : NewCappedPrefixTransform(size));
  });
}

NATIVE(void, OptionObjects, setCompressionPerLevel, jlong options,
       jbyteArray types) {
  Run(env, [&] {
    std::vector<CompressionType> levels;
    for (const char type : BytesOf(env, types)) {
      levels.push_back(type == 127 ? kDisableCompressionOption
                                   : static_cast<CompressionType>(type));
    }
    PinStruct<FamilyOptions>(options)->compression_per_level =
        std::move(levels);
  });
}

NATIVE(jbyteArray, OptionObjects, getCompressionPerLevel, jlong options) {
  return Run(env, [&] {
    std::string levels;
    for (const CompressionType type :
         PinStruct<FamilyOptions>(options)->compression_per_level) {
      levels.push_back(
          type == kDisableCompressionOption ? 127 : static_cast<char>(type));
    }
    return NewArray(env, levels);
  });
}

NATIVE(void, OptionObjects, setLevelMultipliers, jlong options,
       jintArray factors) {
  Run(env, [&] {
    if (factors == nullptr) Fail(Wrong::kNull, "an array is null");
    std::vector<int> given(static_cast<size_t>(env->GetArrayLength(factors)));
    static_assert(sizeof(jint) == sizeof(int));
    env->GetIntArrayRegion(factors, 0, static_cast<jsize>(given.size()),
                           given.data());
    PinStruct<FamilyOptions>(options)
        ->max_bytes_for_level_multiplier_additional = std::move(given);
  });
}

NATIVE(jintArray, OptionObjects, getLevelMultipliers, jlong options) {
  return Run(env, [&] {
    const std::vector<int> factors =
        PinStruct<FamilyOptions>(options)
            ->max_bytes_for_level_multiplier_additional;
    const auto size = static_cast<jsize>(factors.size());
    jintArray array = env->NewIntArray(size);
    if (array == nullptr) throw JavaThrew{};
    env->SetIntArrayRegion(array, 0, size, factors.data());
    return array;
  });
}

NATIVE(void, OptionObjects, setMaxTableFilesSizeFifo, jlong options,
       jlong size) {
  Run(env, [&] {
    PinStruct<FamilyOptions>(options)
        ->compaction_options_fifo.max_table_files_size =
        static_cast<uint64_t>(size);
  });
}

NATIVE(jlong, OptionObjects, getMaxTableFilesSizeFifo, jlong options) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(
        PinStruct<FamilyOptions>(options)
            ->compaction_options_fifo.max_table_files_size);
  });
}

NATIVE(jbyteArray, OptionObjects, factoryName, jlong options,
       jboolean of_memtable) {
  return Run(env, [&] {
    PinStruct<FamilyOptions> source(options);
    std::string name;
    if (of_memtable) {
      if (source->memtable_factory) name = source->memtable_factory->Name();
    } else if (source->table_factory) {
      name = source->table_factory->Name();
    }
    return NewArray(env, name);
  });
}

NATIVE(void, OptionObjects, setCollectors, jlong options,
       jlongArray factories) {
  Run(env, [&] {
    PinStruct<FamilyOptions> target(options);
    std::vector<std::shared_ptr<TablePropertiesCollectorFactory>> given;
    for (const Handle factory : LongsOf(env, factories)) {
      given.push_back(
          Pin<Shared<TablePropertiesCollectorFactory>>(factory)->rep);
    }
    target->table_properties_collector_factories = std::move(given);
  });
}

NATIVE(jlongArray, OptionObjects, getCollectors, jlong options) {
  return Run(env, [&] {
    std::vector<int64_t> handles;
    for (const auto& factory : PinStruct<FamilyOptions>(options)
                                   ->table_properties_collector_factories) {
      handles.push_back(Share(factory));
    }
    return NewLongs(env, handles);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
