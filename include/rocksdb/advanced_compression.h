#pragma once

// How the blocks of table files are compressed, and how an application does it
// in ways of its own.
//
// A CompressionManager (ColumnFamilyOptions::compression_manager) makes for
// each new table file a Compressor, and for each open one a Decompressor. The
// file names the manager it was made with, so one that is to be read later
// must be in the options, or registered by its name, when it is opened.
//
// Nothing here is called under a lock of the database. What throws makes the
// flush or compaction fail with Status::Aborted, and a read with a status that
// says so.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Decompressor;
struct ConfigOptions;
struct FilterBuildingContext;

// Compresses blocks in one way: an algorithm with its settings, and maybe a
// dictionary.
//
// Threads  CompressBlock() from several threads with a working area each. The
//          engine gives each of its threads a Clone() of its own, too.
class Compressor {
 public:
  // What GetDictGuidance() asks for: no dictionary,
  struct DictDisabled {};
  // one that is made of samples of the file's blocks, of about so many bytes,
  struct DictSampling {
    size_t max_sample_bytes = 0;
  };
  // or this one. It is stored in each file.
  struct DictPreDefined {
    std::string dict_data;
  };
  using DictConfig = std::variant<DictDisabled, DictSampling, DictPreDefined>;

  // Samples one behind the other.
  struct DictSamples {
    std::string sample_data;
    std::vector<size_t> sample_lens;

    bool empty() const { return sample_data.empty(); }
    // The lengths add up to the data.
    bool Verify() const {
      size_t total = 0;
      for (const size_t length : sample_lens) total += length;
      return total == sample_data.size();
    }
  };
  using DictConfigArgs =
      std::variant<DictDisabled, DictSamples, DictPreDefined>;

  // What compressing needs and one call may take over from the one before, such
  // as a context of the library. A compressor that has one derives from it.
  struct WorkingArea {};

  Compressor() = default;
  virtual ~Compressor() = default;

  virtual const char* Name() const = 0;
  // The name and what was set, for the file's properties. Default: the name.
  virtual std::string GetId() const { return Name(); }

  // Which dictionary blocks of this kind are to have. It is asked for
  // kDataBlock alone: other blocks have none. Default: none.
  virtual DictConfig GetDictGuidance(CacheEntryRole block_type) const;
  // The dictionary that this one compresses with; empty for none.
  virtual Slice GetSerializedDict() const { return Slice(); }

  // The type of most of the blocks it makes. kNoCompression: not known.
  virtual CompressionType GetPreferredCompressionType() const {
    return kNoCompression;
  }
  // How many threads are to compress the blocks of one file with it; 0: as many
  // as CompressionOptions::parallel_threads says. Default: 0.
  virtual uint32_t GetRecommendedParallelThreads() const { return 0; }

  // Another that does the same, dictionary included. Never null.
  virtual std::unique_ptr<Compressor> Clone() const = 0;
  // One for blocks of this kind, with the dictionary that `dict_config` has or
  // that can be made of its samples: GetSerializedDict() tells it. Null: this
  // one serves. Default: null.
  virtual std::unique_ptr<Compressor> MaybeCloneSpecialized(
      CacheEntryRole block_type, DictConfigArgs&& dict_config) const;
  // The same, or a Clone(): never null.
  std::unique_ptr<Compressor> CloneMaybeSpecialized(
      CacheEntryRole block_type, DictConfigArgs&& dict_config) const;

  virtual void ReleaseWorkingArea(WorkingArea* /*area*/) {}
  using ManagedWorkingArea =
      ManagedPtr<WorkingArea, Compressor, &Compressor::ReleaseWorkingArea>;
  // Default: none is needed.
  virtual ManagedWorkingArea ObtainWorkingArea() { return {}; }

  // Puts what stands for `uncompressed_data` into compressed_output[0,
  // *compressed_output_size), and sets its size and type.
  //
  // Type    kNoCompression says that the block is to be stored as it is:
  //         because it was not tried (size 0), or did not fit (any other size).
  // Area    may be null, or from this compressor.
  // Errors  make the file fail. Not fitting is no error.
  virtual Status CompressBlock(Slice uncompressed_data, char* compressed_output,
                               size_t* compressed_output_size,
                               CompressionType* out_compression_type,
                               ManagedWorkingArea* working_area) = 0;

  // One that expands what this one makes, dictionary included; null: take the
  // manager's. Default: null.
  virtual std::shared_ptr<Decompressor> GetOptimizedDecompressor() const;
};

// Expands blocks.
//
// Threads  All calls from any number at once, each with its own working area.
class Decompressor {
 public:
  Decompressor() = default;
  virtual ~Decompressor() = default;

  virtual const char* Name() const = 0;

  struct WorkingArea {};
  virtual void ReleaseWorkingArea(WorkingArea* /*wa*/) {}
  using ManagedWorkingArea =
      ManagedPtr<WorkingArea, Decompressor, &Decompressor::ReleaseWorkingArea>;
  // Default: none is needed.
  virtual ManagedWorkingArea ObtainWorkingArea(CompressionType /*preferred*/) {
    return {};
  }

  // The dictionary that this one expands with; empty for none.
  virtual const Slice& GetSerializedDict() const;
  // One that expands with that dictionary, whose bytes outlive it. Default:
  // NotSupported.
  virtual Status MaybeCloneForDict(const Slice& serialized_dict,
                                   std::unique_ptr<Decompressor>* out);
  // Beside the object itself.
  virtual size_t ApproximateOwnedMemoryUsage() const { return 0; }

  struct Args {
    CompressionType compression_type = kNoCompression;
    Slice compressed_data;
    uint64_t uncompressed_size = 0;
    ManagedWorkingArea* working_area = nullptr;  // may be null
  };
  // Sets args.uncompressed_size, and takes off compressed_data what only told
  // it. Default: there is a varint in front.
  virtual Status ExtractUncompressedSize(Args& args);
  // Fills uncompressed_output[0, args.uncompressed_size), with the args that
  // ExtractUncompressedSize() left. Corruption for bytes that do not expand to
  // that.
  virtual Status DecompressBlock(const Args& args,
                                 char* uncompressed_output) = 0;
};

// Makes compressors and decompressors. It must be held by a std::shared_ptr.
//
// Threads  All calls from any thread.
class CompressionManager
    : public std::enable_shared_from_this<CompressionManager>,
      public Customizable {
 public:
  CompressionManager() = default;
  ~CompressionManager() override = default;
  static const char* Type() { return "CompressionManager"; }

  // What files are marked with: letters, digits and `_`. Two managers of the
  // same name read each other's blocks. "BuiltinV2" is that of the built-in
  // one; under it only built-in types may be written, in the built-in way, and
  // every format_version has room for it. Any other name needs format_version
  // 7.
  virtual const char* CompatibilityName() const = 0;

  // One that reads files with that mark; null if there is none. Default: this
  // one, or what is registered by that name.
  virtual std::shared_ptr<CompressionManager> FindCompatibleCompressionManager(
      Slice compatibility_name);

  // The manager that `id` describes: `BuiltinV2`, or a registered one; null for
  // nothing or `nullptr`. NotSupported for an unknown name, unless
  // config_options.ignore_unsupported_options.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<CompressionManager>* result);

  // Whether `compression` options may ask for that type. DB::Open() is
  // InvalidArgument for one that is not supported.
  virtual bool SupportsCompressionType(CompressionType type) const = 0;
  // For people. Default: "Custom80" and so on beside the built-in names.
  virtual std::string CompressionTypeToString(CompressionType type) const;

  // For a new table file whose options ask for `preferred`; null: its blocks
  // are stored as they are. Default: GetCompressor().
  virtual std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& opts,
      CompressionType preferred);
  // One for that type; null if it is not supported, or kNoCompression.
  virtual std::unique_ptr<Compressor> GetCompressor(
      const CompressionOptions& opts, CompressionType type) = 0;

  // One for all that compressors of this manager make without a dictionary.
  virtual std::shared_ptr<Decompressor> GetDecompressor() = 0;
  // The same where most blocks have that type.
  virtual std::shared_ptr<Decompressor> GetDecompressorOptimizeFor(
      CompressionType /*optimize_for_type*/) {
    return GetDecompressor();
  }
  // The same where blocks have none but these types.
  virtual std::shared_ptr<Decompressor> GetDecompressorForTypes(
      const CompressionType* /*types_begin*/,
      const CompressionType* /*types_end*/) {
    return GetDecompressor();
  }
};

// Bases for what changes a part of another one: each call goes to the wrapped
// object. MaybeCloneSpecialized() then answers a wrapped clone, which a derived
// class has to wrap again.
class CompressorWrapper : public Compressor {
 public:
  explicit CompressorWrapper(std::unique_ptr<Compressor> compressor)
      : wrapped_(std::move(compressor)) {}
  CompressorWrapper(const CompressorWrapper&) = delete;
  CompressorWrapper& operator=(const CompressorWrapper&) = delete;

  DictConfig GetDictGuidance(CacheEntryRole block_type) const override {
    return wrapped_->GetDictGuidance(block_type);
  }
  Slice GetSerializedDict() const override {
    return wrapped_->GetSerializedDict();
  }
  CompressionType GetPreferredCompressionType() const override {
    return wrapped_->GetPreferredCompressionType();
  }
  uint32_t GetRecommendedParallelThreads() const override {
    return wrapped_->GetRecommendedParallelThreads();
  }
  std::unique_ptr<Compressor> MaybeCloneSpecialized(
      CacheEntryRole block_type, DictConfigArgs&& dict_config) const override {
    return wrapped_->MaybeCloneSpecialized(block_type, std::move(dict_config));
  }
  ManagedWorkingArea ObtainWorkingArea() override {
    return wrapped_->ObtainWorkingArea();
  }
  Status CompressBlock(Slice uncompressed_data, char* compressed_output,
                       size_t* compressed_output_size,
                       CompressionType* out_compression_type,
                       ManagedWorkingArea* working_area) override {
    return wrapped_->CompressBlock(uncompressed_data, compressed_output,
                                   compressed_output_size, out_compression_type,
                                   working_area);
  }
  std::shared_ptr<Decompressor> GetOptimizedDecompressor() const override {
    return wrapped_->GetOptimizedDecompressor();
  }

 protected:
  std::unique_ptr<Compressor> wrapped_;
};

class DecompressorWrapper : public Decompressor {
 public:
  explicit DecompressorWrapper(std::shared_ptr<Decompressor> decompressor)
      : wrapped_(std::move(decompressor)) {}
  DecompressorWrapper(const DecompressorWrapper&) = delete;
  DecompressorWrapper& operator=(const DecompressorWrapper&) = delete;

  const char* Name() const override { return wrapped_->Name(); }
  void ReleaseWorkingArea(WorkingArea* wa) override {
    wrapped_->ReleaseWorkingArea(wa);
  }
  ManagedWorkingArea ObtainWorkingArea(CompressionType preferred) override {
    return wrapped_->ObtainWorkingArea(preferred);
  }
  const Slice& GetSerializedDict() const override {
    return wrapped_->GetSerializedDict();
  }
  Status MaybeCloneForDict(const Slice& serialized_dict,
                           std::unique_ptr<Decompressor>* out) override {
    return wrapped_->MaybeCloneForDict(serialized_dict, out);
  }
  size_t ApproximateOwnedMemoryUsage() const override {
    return wrapped_->ApproximateOwnedMemoryUsage();
  }
  Status ExtractUncompressedSize(Args& args) override {
    return wrapped_->ExtractUncompressedSize(args);
  }
  Status DecompressBlock(const Args& args, char* uncompressed_output) override {
    return wrapped_->DecompressBlock(args, uncompressed_output);
  }

 protected:
  std::shared_ptr<Decompressor> wrapped_;
};

class CompressionManagerWrapper : public CompressionManager {
 public:
  explicit CompressionManagerWrapper(
      std::shared_ptr<CompressionManager> wrapped)
      : wrapped_(std::move(wrapped)) {}

  const char* CompatibilityName() const override {
    return wrapped_->CompatibilityName();
  }
  std::shared_ptr<CompressionManager> FindCompatibleCompressionManager(
      Slice compatibility_name) override {
    return wrapped_->FindCompatibleCompressionManager(compatibility_name);
  }
  bool SupportsCompressionType(CompressionType type) const override {
    return wrapped_->SupportsCompressionType(type);
  }
  std::string CompressionTypeToString(CompressionType type) const override {
    return wrapped_->CompressionTypeToString(type);
  }
  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& opts,
      CompressionType preferred) override {
    return wrapped_->GetCompressorForSST(context, opts, preferred);
  }
  std::unique_ptr<Compressor> GetCompressor(const CompressionOptions& opts,
                                            CompressionType type) override {
    return wrapped_->GetCompressor(opts, type);
  }
  std::shared_ptr<Decompressor> GetDecompressor() override {
    return wrapped_->GetDecompressor();
  }
  std::shared_ptr<Decompressor> GetDecompressorOptimizeFor(
      CompressionType optimize_for_type) override {
    return wrapped_->GetDecompressorOptimizeFor(optimize_for_type);
  }
  std::shared_ptr<Decompressor> GetDecompressorForTypes(
      const CompressionType* types_begin,
      const CompressionType* types_end) override {
    return wrapped_->GetDecompressorForTypes(types_begin, types_end);
  }

 protected:
  std::shared_ptr<CompressionManager> wrapped_;
};

// The manager of the built-in algorithms, which serves where options name none:
// BuiltinCompressionManagerV2. Never destroyed.
const std::shared_ptr<CompressionManager>& GetBuiltinV2CompressionManager();

// Does not try blocks where trying is in vain: of the last ten blocks that
// were tried more than half did not shrink. One block in ten is tried all the
// same. `wrapped` does the rest; null: the built-in manager.
std::shared_ptr<CompressionManagerWrapper> CreateAutoSkipCompressionManager(
    std::shared_ptr<CompressionManager> wrapped = nullptr);

// Experimental. Compresses with ZSTD at its own default level, whatever type
// and level the options ask for; with what they ask for where `wrapped` has no
// ZSTD. Files that are to be stored as they are stay so. Null: the built-in
// manager.
std::shared_ptr<CompressionManagerWrapper> CreateCostAwareCompressionManager(
    std::shared_ptr<CompressionManager> wrapped = nullptr);

}  // namespace ROCKSDB_NAMESPACE
