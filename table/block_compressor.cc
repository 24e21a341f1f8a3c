#include "table/block_compressor.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>

#include "util/invariant.h"
#include "util/key/whole_block.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first version that releases after the 7th write.
constexpr uint32_t kFirstNewVersion = 6;
static_assert(kFirstNewVersion < kFirstListingVersion);

bool UsesDictionary(CompressionType type) {
  return type == kZlibCompression || type == kLZ4Compression ||
         type == kLZ4HCCompression || type == kZSTD;
}

struct Samples {
  std::string bytes;
  std::vector<size_t> sizes;
};

// Blocks spread evenly over the file, up to `max_bytes` in all.
Samples TakeSamples(const std::vector<std::string>& blocks, size_t max_bytes) {
  Samples samples;
  size_t total = 0;
  for (const std::string& block : blocks) total += block.size();
  if (total == 0) return samples;
  // Every block if they fit, else such a share of them.
  assert(max_bytes > 0);
  const double share = std::min(1.0, double(max_bytes) / double(total));
  double due = 1.0;
  for (const std::string& block : blocks) {
    if (due >= 1.0) {
      const size_t room = max_bytes - samples.bytes.size();
      const size_t size = std::min(block.size(), room);
      if (size == 0) break;
      samples.bytes.append(block, 0, size);
      samples.sizes.push_back(size);
      due -= 1.0;
    }
    due += share;
  }
  assert(samples.bytes.size() <= max_bytes);
  return samples;
}

}  // namespace

BlockCompressor::BlockCompressor(const Options& options)
    : options_(options), made_with_(OptionsProperty()) {}

Status BlockCompressor::MakeCodec(const Slice& dictionary, Codec* codec) const {
  assert(is_enabled());
  Status s = Compressor::Create(options_.type, options_.compression, dictionary,
                                &codec->compressor);
  if (s.ok() && options_.verifies) {
    s = Decompressor::Create(dictionary, &codec->expander);
  }
  return s;
}

Status BlockCompressor::Prepare() {
  assert(plain_.compressor == nullptr);
  if (!is_enabled()) return Status::OK();
  return MakeCodec(Slice(), &plain_);
}

bool BlockCompressor::WantsDictionary() const {
  return options_.compression.max_dict_bytes > 0 &&
         UsesDictionary(options_.type);
}

Status BlockCompressor::MakeDictionary(const std::vector<std::string>& blocks) {
  INVARIANT(WantsDictionary() && dictionary_.empty());
  const CompressionOptions& options = options_.compression;
  const bool is_trained =
      options_.type == kZSTD && options.zstd_max_train_bytes > 0;
  const Samples samples =
      TakeSamples(blocks, is_trained ? options.zstd_max_train_bytes
                                     : options.max_dict_bytes);
  if (is_trained) {
    dictionary_ = TrainZstdDictionary({
        .samples = samples.bytes,
        .sample_sizes = samples.sizes.data(),
        .sample_count = samples.sizes.size(),
        .max_dict_bytes = options.max_dict_bytes,
        .level = options.level,
        .use_trainer = options.use_zstd_dict_trainer,
    });
  } else {
    dictionary_ = samples.bytes;
  }
  assert(dictionary_.size() <= options.max_dict_bytes);
  if (dictionary_.empty()) return Status::OK();
  return MakeCodec(dictionary_, &with_dictionary_);
}

Status BlockCompressor::UseDictionary(const std::string& dictionary) {
  INVARIANT(dictionary_.empty());
  if (dictionary.empty()) return Status::OK();
  dictionary_ = dictionary;
  return MakeCodec(dictionary_, &with_dictionary_);
}

// A file's property tells neither, in the older formats, which part of its size
// a block may be stored with, nor whether the codec adds checksums.
bool BlockCompressor::WouldMake(const WholeBlock& block) const {
  const CompressionOptions& o = options_.compression;
  return plain_.compressor != nullptr && o.max_dict_bytes == 0 &&
         (options_.format_version >= kFirstNewVersion || !o.checksum) &&
         block.type == plain_.compressor->type() &&
         block.stored.size() <= plain_.compressor->MostBytesFor(block.raw) &&
         block.made_with == made_with_;
}

// What does not shrink enough is stored as it is.
size_t BlockCompressor::SizeWith(Compressor::Effort effort, Slice raw) {
  Compressor& compressor = *DataCodec().compressor;
  compressor.SetEffort(effort);
  const bool is_smaller =
      compressor.Compress(raw, options_.format_version, &output_);
  return is_smaller ? output_.size() : raw.size();
}

Compressor::Effort BlockCompressor::ChooseEffort(Slice raw) {
  const Codec& codec = DataCodec();
  if (codec.compressor == nullptr || !codec.compressor->HasQuick() ||
      raw.empty()) {
    return Compressor::Effort::kAsAsked;
  }
  if (choice_.IsTrialDue()) {
    EffortChoice::Sizes bytes{};
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = SizeWith(static_cast<Compressor::Effort>(i), raw);
    }
    choice_.NoteTrial(bytes);
  }
  return choice_.effort();
}

Status BlockCompressor::Compress(const Codec& codec, Slice raw,
                                 Compressor::Effort effort, Stored* stored) {
  *stored = {raw, kNoCompression};
  if (codec.compressor == nullptr || raw.size() >= kMaxCompressibleSize) {
    return Status::OK();
  }
  codec.compressor->SetEffort(effort);
  if (!codec.compressor->Compress(raw, options_.format_version, &output_)) {
    return Status::OK();
  }
  assert(output_.size() <= raw.size());
  *stored = {output_, codec.compressor->type()};
  assert(stored->type != kNoCompression);
  used_types_.insert(stored->type);
  return codec.expander != nullptr ? Verify(codec, raw, *stored) : Status::OK();
}

Status BlockCompressor::Verify(const Codec& codec, Slice raw,
                               const Stored& stored) const {
  assert(codec.expander != nullptr);
  const Decompressor& expander = *codec.expander;
  const uint32_t version = options_.format_version;
  size_t size = 0;
  Status s =
      expander.UncompressedSize(stored.type, version, stored.payload, &size);
  if (!s.ok()) return s;
  if (size != raw.size()) {
    return Status::Corruption("verify_compression: a block changed its size");
  }
  const auto expanded = std::make_unique_for_overwrite<char[]>(size);
  s = expander.Decompress(stored.type, version, stored.payload, expanded.get(),
                          size);
  if (s.ok() && memcmp(expanded.get(), raw.data(), size) != 0) {
    s = Status::Corruption("verify_compression: a block changed its content");
  }
  return s;
}

std::string BlockCompressor::NameProperty() const {
  if (options_.format_version < kFirstListingVersion) {
    return CompressionTypeToString(options_.type);
  }
  if (!is_enabled()) return ";;";
  std::string text = "BuiltinV2;";
  for (const CompressionType type : used_types_) {
    char digits[3];
    snprintf(digits, sizeof(digits), "%02X", static_cast<unsigned>(type));
    text.append(digits);
  }
  return text + ";";
}

std::string BlockCompressor::OptionsProperty() const {
  const CompressionOptions& o = options_.compression;
  std::string text;
  const auto add = [&text](const char* name, int64_t value) {
    text.append(name).append("=").append(std::to_string(value)).append("; ");
  };
  add("window_bits", o.window_bits);
  add("level", o.level);
  add("strategy", o.strategy);
  add("max_dict_bytes", o.max_dict_bytes);
  add("zstd_max_train_bytes", o.zstd_max_train_bytes);
  add("enabled", o.enabled ? 1 : 0);
  add("max_dict_buffer_bytes", static_cast<int64_t>(o.max_dict_buffer_bytes));
  add("use_zstd_dict_trainer", o.use_zstd_dict_trainer ? 1 : 0);
  if (options_.format_version >= kFirstNewVersion) {
    add("max_compressed_bytes_per_kb", o.max_compressed_bytes_per_kb);
    add("checksum", o.checksum ? 1 : 0);
    add("_type", options_.type);
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
