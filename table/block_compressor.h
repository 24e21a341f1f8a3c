#pragma once

// Decides, block by block, whether a block of a new table file is stored
// compressed, and makes the file's dictionary.
//
// Threads    One thread.
// Ownership  Returned slices are good until the next call.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/effort_choice.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

struct WholeBlock;

class BlockCompressor {
 public:
  struct Options {
    CompressionType type = kNoCompression;
    CompressionOptions compression;
    uint32_t format_version = 0;
    bool verifies = false;  // expand what was compressed, and compare
  };
  explicit BlockCompressor(const Options& options);

  // NotSupported if this build lacks the codec.
  Status Prepare();

  // True if data blocks are to be held back for a dictionary.
  bool WantsDictionary() const;
  // Makes the dictionary from (a sample of) the file's blocks. It may come out
  // empty: then there is none.
  Status MakeDictionary(const std::vector<std::string>& blocks);
  // Instead of it: one that another compressor has made. Empty: none.
  Status UseDictionary(const std::string& dictionary);
  const std::string& dictionary() const { return dictionary_; }
  // Another compressor has made blocks of the file.
  void NoteUsed(CompressionType type) { used_types_.insert(type); }

  // What is to be stored for a block, and its type.
  struct Stored {
    Slice payload;
    CompressionType type = kNoCompression;
    bool is_reused = false;  // compressed before, for another file
  };
  Status CompressData(Slice raw, Stored* stored) {
    return CompressData(raw, ChooseEffort(raw), stored);
  }
  // In two steps, which may be those of two compressors: the first one sees
  // all data blocks that are to be compressed, in the order of the file.
  Compressor::Effort ChooseEffort(Slice raw);
  Status CompressData(Slice raw, Compressor::Effort effort, Stored* stored) {
    return Compress(DataCodec(), raw, effort, stored);
  }
  // Whether that is what CompressData() makes of block.raw, but for its effort.
  bool WouldMake(const WholeBlock& block) const;
  // Without the dictionary.
  Status CompressIndex(Slice raw, Stored* stored) {
    return Compress(plain_, raw, Compressor::Effort::kAsAsked, stored);
  }

  const Options& options() const { return options_; }
  bool is_enabled() const { return options_.type != kNoCompression; }
  // Property `rocksdb.compression`.
  std::string NameProperty() const;
  // Property `rocksdb.compression_options`.
  std::string OptionsProperty() const;

 private:
  struct Codec {
    std::unique_ptr<Compressor> compressor;
    std::unique_ptr<Decompressor> expander;  // only if options_.verifies
  };

  Status MakeCodec(const Slice& dictionary, Codec* codec) const;
  const Codec& DataCodec() const {
    return with_dictionary_.compressor != nullptr ? with_dictionary_ : plain_;
  }
  size_t SizeWith(Compressor::Effort effort, Slice raw);
  Status Compress(const Codec& codec, Slice raw, Compressor::Effort effort,
                  Stored* stored);
  Status Verify(const Codec& codec, Slice raw, const Stored& stored) const;

  const Options options_;
  std::string dictionary_;
  Codec plain_;
  Codec with_dictionary_;
  EffortChoice choice_;
  std::string output_;
  std::set<CompressionType> used_types_;
  std::string made_with_;  // OptionsProperty()
};

}  // namespace ROCKSDB_NAMESPACE
