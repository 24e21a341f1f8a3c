#pragma once

// Decides, block by block, whether a block of a new table file is stored
// compressed, and makes the file's dictionary: what stands between the table
// builder and the compressor of the file's compression manager.
//
// Threads    One thread.
// Ownership  Returned slices are good until the next call.
// Errors     Aborted for what a compressor of the application throws,
//            Corruption for what it cannot have meant: a size beyond the room
//            it was given, a type that its manager does not know.

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/effort_choice.h"
#include "util/block_memory.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

class BuiltinCompressor;
struct FilterBuildingContext;
struct WholeBlock;

class BlockCompressor {
 public:
  struct Options {
    CompressionType type = kNoCompression;
    CompressionOptions compression;
    uint32_t format_version = 0;
    bool verifies = false;  // expand what was compressed, and compare
    // Null: the built-in one, which has nothing to say of kNoCompression.
    std::shared_ptr<CompressionManager> manager = nullptr;
  };
  explicit BlockCompressor(const Options& options);

  // Before all else, for the file that `context` tells of. NotSupported if the
  // manager lacks the type, InvalidArgument if the format has no room for the
  // manager's name.
  Status Prepare(const FilterBuildingContext& context);
  // Another for the same file and another thread, for data blocks alone. Not
  // before the dictionary is made.
  Status MakeAnother(std::unique_ptr<BlockCompressor>* result) const;

  // True if data blocks are to be held back for a dictionary.
  bool WantsDictionary() const { return sample_bytes_ > 0; }
  // Makes the dictionary from (a sample of) the file's blocks. It may come out
  // empty: then there is none.
  Status MakeDictionary(const std::vector<std::string>& blocks);
  // Instead of it: this one. Empty: none.
  Status UseDictionary(const std::string& dictionary);
  const std::string& dictionary() const { return dictionary_; }
  // Another compressor has made blocks of the file.
  void NoteUsed(CompressionType type) { used_types_.set(type); }

  // What is to be stored for a block, and its type.
  struct Stored {
    Slice payload;
    CompressionType type = kNoCompression;
    bool is_reused = false;    // compressed before, for another file
    bool is_bypassed = false;  // not compressed because it was not tried
  };
  Status CompressData(Slice raw, Stored* stored) {
    return CompressData(raw, ChooseEffort(raw), stored);
  }
  // In two steps, which may be those of two compressors: the first one sees
  // all data blocks that are to be compressed, in the order of the file.
  CompressionEffort ChooseEffort(Slice raw);
  Status CompressData(Slice raw, CompressionEffort effort, Stored* stored) {
    return Compress(&DataCodec(), raw, effort, stored);
  }
  // Whether that is what CompressData() makes of block.raw, but for its effort.
  bool WouldMake(const WholeBlock& block) const;
  // Without the dictionary.
  Status CompressIndex(Slice raw, Stored* stored) {
    return Compress(index_.compressor != nullptr ? &index_ : &plain_, raw,
                    CompressionEffort::kAsAsked, stored);
  }

  const Options& options() const { return options_; }
  // False: blocks are stored as they are.
  bool is_enabled() const { return plain_.compressor != nullptr; }
  // How many threads are to compress.
  uint32_t thread_count() const { return thread_count_; }
  // Property `rocksdb.compression`.
  std::string NameProperty() const;
  // Property `rocksdb.compression_options`.
  const std::string& OptionsProperty() const { return made_with_; }

 private:
  struct Codec {
    std::unique_ptr<Compressor> compressor;
    BuiltinCompressor* builtin = nullptr;    // compressor, if it is one
    Compressor::ManagedWorkingArea area;     // goes before compressor
    std::shared_ptr<Decompressor> expander;  // only if options_.verifies
  };

  CompressionManager& manager() const;
  Status SetUp(std::unique_ptr<Compressor> compressor, Codec* codec) const;
  Status FindExpander(Codec* codec) const;
  // Compressors for data and index, as plain_ would have them.
  Status Specialize();
  Status TakeDictionary(Compressor::DictConfigArgs config);
  Codec& DataCodec() { return data_.compressor != nullptr ? data_ : plain_; }
  size_t SizeWith(CompressionEffort effort, Slice raw);
  Status Compress(Codec* codec, Slice raw, CompressionEffort effort,
                  Stored* stored);
  Status CheckOutput(const Codec& codec, const Stored& stored,
                     size_t room) const;
  Status Verify(const Codec& codec, Slice raw, const Stored& stored) const;
  std::string DescribeOptions() const;

  const Options options_;
  std::string dictionary_;
  uint32_t thread_count_ = 0;
  size_t sample_bytes_ = 0;  // that a dictionary is to be made of; 0: none
  Codec plain_;
  Codec data_;   // where plain_ does not serve for data blocks
  Codec index_;  // and for those of the index
  EffortChoice choice_;
  BlockMemory output_;
  std::bitset<256> used_types_;
  std::string made_with_;
};

}  // namespace ROCKSDB_NAMESPACE
