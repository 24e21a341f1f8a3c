// An application's own object of every kind that text can name, and the
// registrar that makes them known.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitoring/statistics_impl.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/object_registry.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE {

// A class with one option, called `option`, that is text.
template <class Base>
class WithOption : public Base {
 public:
  using Base::Base;
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (name != "option") return Base::ConfigureOption(config, name, value);
    option_ = value;
    return Status::OK();
  }
  Status GetOptionString(const ConfigOptions& /*config*/,
                         std::string* result) const override {
    *result = "option={" + option_ + "};";
    return Status::OK();
  }
  Status PrepareOptions(const ConfigOptions& /*config*/) override {
    is_prepared_ = true;
    return Status::OK();
  }
  const std::string& option() const { return option_; }
  bool is_prepared() const { return is_prepared_; }

 private:
  std::string option_ = "default";
  bool is_prepared_ = false;
};

// From the greatest to the smallest.
class NamedOrder final : public Comparator {
 public:
  const char* Name() const override { return "test.Order"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

// Joins values with its option.
class NamedMerge final : public WithOption<AssociativeMergeOperator> {
 public:
  const char* Name() const override { return "test.Merge"; }
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    *result = value.ToString();
    if (existing != nullptr)
      *result = existing->ToString() + option() + *result;
    return true;
  }
};

// Removes the key that is its option.
class NamedKeyFilter final : public WithOption<CompactionFilter> {
 public:
  const char* Name() const override { return "test.Filter"; }
  bool Filter(int, const Slice& key, const Slice&, std::string*,
              bool*) const override {
    return key == option();
  }
};

class NamedFilterFactory final : public WithOption<CompactionFilterFactory> {
 public:
  const char* Name() const override { return "test.FilterFactory"; }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context&) override {
    return nullptr;
  }
};

class NamedTransform final : public SliceTransform {
 public:
  const char* Name() const override { return "test.Transform"; }
  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), 1);
  }
  bool InDomain(const Slice& key) const override { return !key.empty(); }
};

// Block-based tables under another name.
class NamedTable final : public WithOption<TableFactory> {
 public:
  const char* Name() const override { return "test.Table"; }
  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions& read, const TableReaderOptions& how,
                        std::unique_ptr<RandomAccessFileReader>&& file,
                        uint64_t size, std::unique_ptr<TableReader>* reader,
                        bool prefetch) const override {
    return inner_->NewTableReader(read, how, std::move(file), size, reader,
                                  prefetch);
  }
  TableBuilder* NewTableBuilder(const TableBuilderOptions& how,
                                WritableFileWriter* file) const override {
    return inner_->NewTableBuilder(how, file);
  }
  std::unique_ptr<TableFactory> Clone() const override {
    auto copy = std::make_unique<NamedTable>();
    EXPECT_TRUE(
        copy->ConfigureOption(ConfigOptions(), "option", option()).ok());
    return copy;
  }

 private:
  const std::unique_ptr<TableFactory> inner_{NewBlockBasedTableFactory()};
};

class NamedMemtable final : public SkipListFactory {
 public:
  const char* Name() const override { return "test.Memtable"; }
  const char* NickName() const override { return ""; }
};

// "test.Bloom:N" with N bits a key.
class NamedPolicy final : public FilterPolicy {
 public:
  explicit NamedPolicy(std::string id)
      : id_(std::move(id)),
        inner_(NewBloomFilterPolicy(std::stod(id_.substr(id_.find(':') + 1)))) {
  }
  const char* Name() const override { return "test.Bloom"; }
  std::string GetId() const override { return id_; }
  const char* CompatibilityName() const override {
    return inner_->CompatibilityName();
  }
  FilterBitsBuilder* GetBuilderWithContext(
      const FilterBuildingContext& context) const override {
    return inner_->GetBuilderWithContext(context);
  }
  FilterBitsReader* GetFilterBitsReader(const Slice& bits) const override {
    return inner_->GetFilterBitsReader(bits);
  }

 private:
  const std::string id_;
  const std::unique_ptr<const FilterPolicy> inner_;
};

class NamedCollector final
    : public WithOption<TablePropertiesCollectorFactory> {
 public:
  const char* Name() const override { return "test.Collector"; }
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context) override {
    return nullptr;
  }
};

class NamedPartitioner final : public WithOption<SstPartitionerFactory> {
 public:
  const char* Name() const override { return "test.Partitioner"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override {
    return NewSstPartitionerFixedPrefixFactory(1)->CreatePartitioner(context);
  }
};

class NamedListener final : public WithOption<EventListener> {
 public:
  const char* Name() const override { return "test.Listener"; }
};

class NamedCache final : public WithOption<CacheWrapper> {
 public:
  NamedCache() : WithOption(NewLRUCache(1 << 20)) {}
  const char* Name() const override { return "test.Cache"; }
};

class NamedSecondaryCache final : public WithOption<SecondaryCache> {
 public:
  const char* Name() const override { return "test.SecondaryCache"; }
  Status Insert(const Slice&, Cache::ObjectPtr, const Cache::CacheItemHelper*,
                bool) override {
    return Status::OK();
  }
  Status InsertSaved(const Slice&, const Slice&, CompressionType,
                     CacheTier) override {
    return Status::OK();
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice&, const Cache::CacheItemHelper*, Cache::CreateContext*, bool,
      bool, Statistics*, bool&) override {
    return nullptr;
  }
  bool SupportForceErase() const override { return false; }
  void Erase(const Slice&) override {}
  void WaitAll(std::vector<SecondaryCacheResultHandle*>) override {}
};

class NamedChecksums final : public WithOption<FileChecksumGenFactory> {
 public:
  const char* Name() const override { return "test.Checksums"; }
  std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) override {
    return GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
        context);
  }
};

class NamedFileSystem final : public FileSystemWrapper {
 public:
  NamedFileSystem() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "test.FileSystem"; }
};

class NamedClock final : public SystemClockWrapper {
 public:
  NamedClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "test.Clock"; }
};

class NamedEnv final : public EnvWrapper {
 public:
  NamedEnv() : EnvWrapper(Env::Default()) {}
  const char* Name() const override { return "test.Env"; }
};

template <class T, class Implementation>
void AddOwned(ObjectLibrary* library) {
  library->AddFactory<T>(
      Implementation().Name(),
      [](const std::string&, std::unique_ptr<T>* guard, std::string*) {
        *guard = std::make_unique<Implementation>();
        return guard->get();
      });
}

template <class T, class Implementation>
void AddStatic(ObjectLibrary* library) {
  library->AddFactory<T>(
      Implementation().Name(),
      [](const std::string&, std::unique_ptr<T>*, std::string*) {
        static Implementation object;
        return &object;
      });
}

// Those that are known by more than a name.
inline void AddPatterns(ObjectLibrary* library) {
  using PatternEntry = ObjectLibrary::PatternEntry;
  library->AddFactory<const FilterPolicy>(
      PatternEntry("test.Bloom", false).AddNumber(":", false),
      [](const std::string& id, auto* guard, std::string*) {
        *guard = std::make_unique<NamedPolicy>(id);
        return guard->get();
      });
  library->AddFactory<RateLimiter>(
      PatternEntry("test.Limiter", false).AddNumber(":"),
      [](const std::string& id, auto* guard, std::string*) {
        guard->reset(
            NewGenericRateLimiter(std::stoll(id.substr(id.find(':') + 1))));
        return guard->get();
      });
  library->AddFactory<Statistics>(
      PatternEntry("test.Statistics").AddSuffix(".quick"),
      [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<StatisticsImpl>();
        return guard->get();
      });
}

// A RegistrarFunc.
inline int AddNamedKinds(ObjectLibrary& library, const std::string&) {
  AddStatic<const Comparator, NamedOrder>(&library);
  AddStatic<CompactionFilter, NamedKeyFilter>(&library);
  AddStatic<Env, NamedEnv>(&library);
  AddOwned<MergeOperator, NamedMerge>(&library);
  AddOwned<CompactionFilterFactory, NamedFilterFactory>(&library);
  AddOwned<const SliceTransform, NamedTransform>(&library);
  AddOwned<TableFactory, NamedTable>(&library);
  AddOwned<MemTableRepFactory, NamedMemtable>(&library);
  AddOwned<TablePropertiesCollectorFactory, NamedCollector>(&library);
  AddOwned<SstPartitionerFactory, NamedPartitioner>(&library);
  AddOwned<EventListener, NamedListener>(&library);
  AddOwned<Cache, NamedCache>(&library);
  AddOwned<SecondaryCache, NamedSecondaryCache>(&library);
  AddOwned<FileChecksumGenFactory, NamedChecksums>(&library);
  AddOwned<FileSystem, NamedFileSystem>(&library);
  AddOwned<SystemClock, NamedClock>(&library);
  AddPatterns(&library);
  size_t types = 0;
  return static_cast<int>(library.GetFactoryCount(&types));
}

// Options that know all of these.
inline ConfigOptions NamingConfig() {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  config.registry->AddLibrary("test", AddNamedKinds, "");
  return config;
}

}  // namespace ROCKSDB_NAMESPACE
