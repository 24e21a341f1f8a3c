#include "table/block_compressor.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <utility>

#include "options/builtin_compression_manager.h"
#include "options/user_code.h"
#include "table/format.h"
#include "table/guarded_decompressor.h"
#include "util/builtin_compression.h"
#include "util/invariant.h"
#include "util/key/whole_block.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first version that releases after the 7th write.
constexpr uint32_t kFirstNewVersion = 6;
static_assert(kFirstNewVersion < kFirstListingVersion);
static_assert(kFirstListingVersion == kFirstManagedVersion);

// Blocks spread evenly over the file, up to `max_bytes` in all.
Compressor::DictSamples TakeSamples(const std::vector<std::string>& blocks,
                                    size_t max_bytes) {
  Compressor::DictSamples samples;
  size_t total = 0;
  for (const std::string& block : blocks) total += block.size();
  if (total == 0) return samples;
  // Every block if they fit, else such a share of them.
  assert(max_bytes > 0);
  const double share = std::min(1.0, double(max_bytes) / double(total));
  double due = 1.0;
  for (const std::string& block : blocks) {
    if (due >= 1.0) {
      const size_t room = max_bytes - samples.sample_data.size();
      const size_t size = std::min(block.size(), room);
      if (size == 0) break;
      samples.sample_data.append(block, 0, size);
      samples.sample_lens.push_back(size);
      due -= 1.0;
    }
    due += share;
  }
  assert(samples.Verify() && samples.sample_data.size() <= max_bytes);
  return samples;
}

Status Nonsense(const Compressor& compressor, const std::string& what) {
  return Status::Corruption("compressor " + compressor.GetId(), what);
}

}  // namespace

BlockCompressor::BlockCompressor(const Options& options) : options_(options) {}

CompressionManager& BlockCompressor::manager() const {
  return options_.manager != nullptr ? *options_.manager
                                     : *GetBuiltinV2CompressionManager();
}

// --- Setting up --------------------------------------------------------------

Status BlockCompressor::Prepare(const FilterBuildingContext& context) {
  assert(!is_enabled());
  Status s;
  if (options_.type != kNoCompression || options_.manager != nullptr) {
    s = CallUserCode("CompressionManager", [&]() -> Status {
      CompressionManager& own = manager();
      const CompressionType type = options_.type;
      Status fits =
          CheckManagerMark(own.CompatibilityName(), options_.format_version);
      if (!fits.ok()) return fits;
      if (type != kNoCompression && !own.SupportsCompressionType(type)) {
        return options_.manager == nullptr
                   ? AbsentCodec(type)
                   : Status::NotSupported(
                         "compression manager " + own.GetId(),
                         "has no type " + own.CompressionTypeToString(type));
      }
      auto made = own.GetCompressorForSST(context, options_.compression, type);
      if (made == nullptr) {
        return options_.manager != nullptr
                   ? Status::OK()
                   : Status::MemoryLimit("a compressor for blocks");
      }
      Status ready = SetUp(std::move(made), &plain_);
      return ready.ok() ? Specialize() : ready;
    });
  }
  if (!s.ok()) return s;
  return CallUserCode("CompressionManager", [&] {
    const uint32_t recommended =
        is_enabled() ? plain_.compressor->GetRecommendedParallelThreads() : 0;
    thread_count_ =
        recommended > 0 ? recommended : options_.compression.parallel_threads;
    made_with_ = DescribeOptions();
    return Status::OK();
  });
}

Status BlockCompressor::SetUp(std::unique_ptr<Compressor> compressor,
                              Codec* codec) const {
  INVARIANT(compressor != nullptr && codec->compressor == nullptr);
  codec->builtin = dynamic_cast<BuiltinCompressor*>(compressor.get());
  codec->compressor = std::move(compressor);
  codec->area = codec->compressor->ObtainWorkingArea();
  return options_.verifies ? FindExpander(codec) : Status::OK();
}

Status BlockCompressor::FindExpander(Codec* codec) const {
  std::shared_ptr<Decompressor> found =
      GuardDecompressor(codec->compressor->GetOptimizedDecompressor());
  const Slice dictionary = codec->compressor->GetSerializedDict();
  Status s;
  if (found == nullptr) {
    found = GuardDecompressor(manager().GetDecompressor());
    if (found == nullptr) {
      return Status::NotSupported("verify_compression: nothing expands what",
                                  codec->compressor->GetId() + " makes");
    }
    if (!dictionary.empty()) {
      s = GuardedForDictionary(found.get(), dictionary, &found);
    }
  }
  if (s.ok()) codec->expander = std::move(found);
  return s;
}

Status BlockCompressor::Specialize() {
  using C = Compressor;
  const C::DictConfig guidance =
      plain_.compressor->GetDictGuidance(CacheEntryRole::kDataBlock);
  auto for_index = plain_.compressor->MaybeCloneSpecialized(
      CacheEntryRole::kIndexBlock, C::DictDisabled{});
  Status s;
  if (for_index != nullptr) s = SetUp(std::move(for_index), &index_);
  if (!s.ok()) return s;
  if (const auto* sampling = std::get_if<C::DictSampling>(&guidance)) {
    sample_bytes_ = sampling->max_sample_bytes;
    if (sample_bytes_ > 0) return s;
  } else if (const auto* given = std::get_if<C::DictPreDefined>(&guidance)) {
    return TakeDictionary(*given);
  }
  return TakeDictionary(C::DictDisabled{});
}

Status BlockCompressor::TakeDictionary(Compressor::DictConfigArgs config) {
  INVARIANT(data_.compressor == nullptr);
  auto special = plain_.compressor->MaybeCloneSpecialized(
      CacheEntryRole::kDataBlock, std::move(config));
  if (special == nullptr) return Status::OK();
  dictionary_ = special->GetSerializedDict().ToString();
  return SetUp(std::move(special), &data_);
}

Status BlockCompressor::MakeDictionary(const std::vector<std::string>& blocks) {
  INVARIANT(WantsDictionary() && dictionary_.empty());
  return CallUserCode("Compressor", [&] {
    return TakeDictionary(TakeSamples(blocks, sample_bytes_));
  });
}

Status BlockCompressor::UseDictionary(const std::string& dictionary) {
  INVARIANT(is_enabled() && dictionary_.empty());
  if (dictionary.empty()) return Status::OK();
  return CallUserCode("Compressor", [&] {
    return TakeDictionary(Compressor::DictPreDefined{dictionary});
  });
}

Status BlockCompressor::MakeAnother(
    std::unique_ptr<BlockCompressor>* result) const {
  INVARIANT(is_enabled());
  const Codec& mine = data_.compressor != nullptr ? data_ : plain_;
  auto other = std::make_unique<BlockCompressor>(options_);
  Status s = CallUserCode("Compressor", [&] {
    auto clone = mine.compressor->Clone();
    if (clone == nullptr) return Nonsense(*mine.compressor, "has no clone");
    if (clone->GetSerializedDict() != Slice(dictionary_)) {
      return Nonsense(*mine.compressor, "a clone has another dictionary");
    }
    return other->SetUp(std::move(clone), &other->plain_);
  });
  if (s.ok()) *result = std::move(other);
  return s;
}

// --- Compressing -------------------------------------------------------------

// A file's property tells neither, in the older formats, which part of its size
// a block may be stored with, nor whether the codec adds checksums; and another
// manager may make of the same options something else each time.
bool BlockCompressor::WouldMake(const WholeBlock& block) const {
  const CompressionOptions& o = options_.compression;
  return plain_.builtin != nullptr && data_.compressor == nullptr &&
         dynamic_cast<const BuiltinCompressionManager*>(&manager()) !=
             nullptr &&
         o.max_dict_bytes == 0 &&
         (options_.format_version >= kFirstNewVersion || !o.checksum) &&
         block.type == options_.type &&
         block.stored.size() <= MostCompressedBytes(o, block.raw.size()) &&
         block.made_with == made_with_;
}

// What does not shrink enough is stored as it is.
size_t BlockCompressor::SizeWith(CompressionEffort effort, Slice raw) {
  Codec& codec = DataCodec();
  BuiltinCompressor::SetEffort(codec.area, effort);
  size_t size = MostCompressedBytes(options_.compression, raw.size());
  output_.Fit(size);
  CompressionType type = kNoCompression;
  const Status s = codec.builtin->CompressBlock(raw, output_.get(), &size,
                                                &type, &codec.area);
  return s.ok() && type != kNoCompression ? size : raw.size();
}

CompressionEffort BlockCompressor::ChooseEffort(Slice raw) {
  const Codec& codec = DataCodec();
  if (codec.builtin == nullptr || !codec.builtin->has_quick() || raw.empty()) {
    return CompressionEffort::kAsAsked;
  }
  if (choice_.IsTrialDue()) {
    EffortChoice::Sizes bytes{};
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = SizeWith(static_cast<CompressionEffort>(i), raw);
    }
    choice_.NoteTrial(bytes);
  }
  return choice_.effort();
}

Status BlockCompressor::Compress(Codec* codec, Slice raw,
                                 CompressionEffort effort, Stored* stored) {
  *stored = {.payload = raw, .is_bypassed = codec->compressor == nullptr};
  const size_t room = MostCompressedBytes(options_.compression, raw.size());
  if (codec->compressor == nullptr || raw.size() >= kMaxCompressibleSize ||
      room == 0) {
    return Status::OK();
  }
  output_.Fit(room);
  size_t size = room;
  CompressionType type = kNoCompression;
  const auto compress = [&](Compressor* compressor) {
    return compressor->CompressBlock(raw, output_.get(), &size, &type,
                                     &codec->area);
  };
  Status s;
  if (codec->builtin != nullptr) [[likely]] {
    if (codec->builtin->has_quick()) {
      BuiltinCompressor::SetEffort(codec->area, effort);
    }
    s = compress(codec->builtin);
  } else {
    s = CallUserCode(codec->compressor->Name(),
                     [&] { return compress(codec->compressor.get()); });
  }
  if (!s.ok()) return s;
  if (type == kNoCompression) {
    stored->is_bypassed = size == 0;
    return s;
  }
  *stored = {.payload = Slice(output_.get(), size), .type = type};
  if (s = CheckOutput(*codec, *stored, room); !s.ok()) return s;
  used_types_.set(type);
  return codec->expander != nullptr ? Verify(*codec, raw, *stored) : s;
}

// Checks what a compressor that is not built in has made.
Status BlockCompressor::CheckOutput(const Codec& codec, const Stored& stored,
                                    size_t room) const {
  if (codec.builtin != nullptr) return Status::OK();
  if (stored.payload.size() > room) {
    return Nonsense(*codec.compressor,
                    "wrote " + std::to_string(stored.payload.size()) +
                        " bytes into room for " + std::to_string(room));
  }
  if (used_types_.test(stored.type)) return Status::OK();
  return CallUserCode("CompressionManager", [&] {
    const bool is_own = manager().CompatibilityName() !=
                        std::string_view(kBuiltinCompatibility);
    const bool is_meant = is_own ? stored.type != kDisableCompressionOption
                                 : CompressionTypeSupported(stored.type);
    if (is_meant && manager().SupportsCompressionType(stored.type)) {
      return Status::OK();
    }
    return Nonsense(*codec.compressor,
                    "made a block of type " +
                        CompressionTypeToString(stored.type) +
                        ", which its manager does not support");
  });
}

Status BlockCompressor::Verify(const Codec& codec, Slice raw,
                               const Stored& stored) const {
  assert(codec.expander != nullptr);
  Decompressor& expander = *codec.expander;
  Decompressor::Args args;
  args.compression_type = stored.type;
  args.compressed_data = stored.payload;
  Status s = expander.ExtractUncompressedSize(args);
  if (!s.ok()) return s;
  if (args.uncompressed_size != raw.size()) {
    return Status::Corruption("verify_compression: a block changed its size");
  }
  const auto expanded = std::make_unique_for_overwrite<char[]>(raw.size());
  s = expander.DecompressBlock(args, expanded.get());
  if (s.ok() && memcmp(expanded.get(), raw.data(), raw.size()) != 0) {
    s = Status::Corruption("verify_compression: a block changed its content");
  }
  return s;
}

// --- Properties --------------------------------------------------------------

std::string BlockCompressor::NameProperty() const {
  if (options_.format_version < kFirstListingVersion) {
    // ZSTD wherever it is used, else what was asked for, if it is.
    CompressionType type = options_.type;
    if (used_types_.test(kZSTD)) {
      type = kZSTD;
    } else if (used_types_.any() && !used_types_.test(type)) {
      type = kSnappyCompression;
      while (!used_types_.test(type)) {
        type = static_cast<CompressionType>(type + 1);
      }
    }
    return CompressionTypeToString(type);
  }
  if (!is_enabled()) return ";;";
  std::string text = std::string(manager().CompatibilityName()) + ";";
  for (size_t type = 0; type < used_types_.size(); ++type) {
    if (!used_types_.test(type)) continue;
    char digits[3];
    snprintf(digits, sizeof(digits), "%02X", static_cast<unsigned>(type));
    text.append(digits);
  }
  return text + ";";
}

std::string BlockCompressor::DescribeOptions() const {
  const CompressionOptions& o = options_.compression;
  std::string text;
  const auto add_text = [&text](const char* name, const std::string& value) {
    text.append(name).append("=").append(value).append("; ");
  };
  const auto add = [&add_text](const char* name, int64_t value) {
    add_text(name, std::to_string(value));
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
  if (options_.manager != nullptr) {
    add_text("_compression_manager", manager().GetId());
    if (is_enabled()) add_text("_compressor", plain_.compressor->GetId());
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
