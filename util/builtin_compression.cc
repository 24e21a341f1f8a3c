#include "util/builtin_compression.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "util/coding.h"
#include "util/compression_codec.h"
#include "util/invariant.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status BadPayload(CompressionType type, const char* what) {
  return Status::Corruption(CompressionTypeToString(type) + " block", what);
}

bool UsesDictionary(CompressionType type) {
  return type == kZlibCompression || type == kLZ4Compression ||
         type == kLZ4HCCompression || type == kZSTD;
}

}  // namespace

// --- Compressing -------------------------------------------------------------

BuiltinCompressor::BuiltinCompressor(CompressionType type,
                                     const CompressionOptions& options,
                                     Slice dictionary)
    : type_(type),
      options_(options),
      dictionary_(dictionary.ToString()),
      name_("Builtin" + CompressionTypeToString(type) + "Compressor") {}

BuiltinCompressor::~BuiltinCompressor() = default;

Status BuiltinCompressor::Create(CompressionType type,
                                 const CompressionOptions& options,
                                 Slice dictionary,
                                 std::unique_ptr<BuiltinCompressor>* result) {
  if (type == kNoCompression || !CompressionTypeSupported(type)) {
    return AbsentCodec(type);
  }
  auto made = std::make_unique<BuiltinCompressor>(type, options, dictionary);
  // The first area is made now, so that what the library refuses shows now.
  std::unique_ptr<CodecCompressor> area;
  if (Status s = made->NewArea(&area); !s.ok()) return s;
  made->has_quick_ = area->HasQuick();
  made->ReleaseWorkingArea(area.release());
  *result = std::move(made);
  return Status::OK();
}

Status BuiltinCompressor::NewArea(
    std::unique_ptr<CodecCompressor>* result) const {
  return CodecOf(type_)->new_compressor(options_, dictionary_, result);
}

Compressor::DictConfig BuiltinCompressor::GetDictGuidance(
    CacheEntryRole block_type) const {
  if (block_type != CacheEntryRole::kDataBlock ||
      options_.max_dict_bytes == 0 || !UsesDictionary(type_)) {
    return DictDisabled{};
  }
  const bool is_trained = type_ == kZSTD && options_.zstd_max_train_bytes > 0;
  return DictSampling{is_trained ? options_.zstd_max_train_bytes
                                 : options_.max_dict_bytes};
}

std::string BuiltinCompressor::DictionaryOf(const DictSamples& samples) const {
  if (!samples.Verify()) return "";
  if (type_ == kZSTD && options_.zstd_max_train_bytes > 0) {
    return TrainZstdDictionary({
        .samples = samples.sample_data,
        .sample_sizes = samples.sample_lens.data(),
        .sample_count = samples.sample_lens.size(),
        .max_dict_bytes = options_.max_dict_bytes,
        .level = options_.level,
        .use_trainer = options_.use_zstd_dict_trainer,
    });
  }
  return samples.sample_data.substr(0, options_.max_dict_bytes);
}

std::unique_ptr<Compressor> BuiltinCompressor::Clone() const {
  std::unique_ptr<BuiltinCompressor> copy;
  Status s = Create(type_, options_, dictionary_, &copy);
  if (s.ok()) return copy;
  // Out of memory for its first area: each block will try again.
  return std::make_unique<BuiltinCompressor>(type_, options_, dictionary_);
}

std::unique_ptr<Compressor> BuiltinCompressor::MaybeCloneSpecialized(
    CacheEntryRole /*block_type*/, DictConfigArgs&& dict_config) const {
  std::string dictionary;
  if (!UsesDictionary(type_)) return nullptr;
  if (const auto* samples = std::get_if<DictSamples>(&dict_config)) {
    dictionary = DictionaryOf(*samples);
  } else if (auto* given = std::get_if<DictPreDefined>(&dict_config)) {
    dictionary = std::move(given->dict_data);
  }
  if (dictionary == dictionary_) return nullptr;
  std::unique_ptr<BuiltinCompressor> result;
  // One that the library refuses is none.
  if (!Create(type_, options_, dictionary, &result).ok()) return nullptr;
  return result;
}

Compressor::ManagedWorkingArea BuiltinCompressor::ObtainWorkingArea() {
  {
    MutexLock lock(&mutex_);
    if (!idle_.empty()) {
      CodecCompressor* const area = idle_.back().release();
      idle_.pop_back();
      return ManagedWorkingArea(area, this);
    }
  }
  std::unique_ptr<CodecCompressor> area;
  if (!NewArea(&area).ok()) return {};
  return ManagedWorkingArea(area.release(), this);
}

void BuiltinCompressor::ReleaseWorkingArea(WorkingArea* area) {
  std::unique_ptr<CodecCompressor> mine(static_cast<CodecCompressor*>(area));
  if (mine->HasQuick()) mine->SetEffort(CompressionEffort::kAsAsked);
  MutexLock lock(&mutex_);
  idle_.push_back(std::move(mine));
}

void BuiltinCompressor::SetEffort(const ManagedWorkingArea& area,
                                  CompressionEffort effort) {
  if (area) static_cast<CodecCompressor*>(area.get())->SetEffort(effort);
}

Status BuiltinCompressor::CompressBlock(Slice uncompressed_data,
                                        char* compressed_output,
                                        size_t* compressed_output_size,
                                        CompressionType* out_compression_type,
                                        ManagedWorkingArea* working_area) {
  constexpr size_t kTriedInVain = 1;
  const Slice raw = uncompressed_data;
  const size_t room = *compressed_output_size;
  *compressed_output_size = kTriedInVain;
  *out_compression_type = kNoCompression;
  if (raw.empty() || raw.size() >= kMaxCompressibleSize) return Status::OK();
  ManagedWorkingArea own;
  if (working_area == nullptr || !*working_area ||
      working_area->owner() != this) {
    own = ObtainWorkingArea();
    if (!own) return Status::MemoryLimit("a context to compress with", name_);
    working_area = &own;
  }
  auto* const codec = static_cast<CodecCompressor*>(working_area->get());
  // Snappy's own stream starts with the size.
  const size_t prefix = type_ == kSnappyCompression
                            ? 0
                            : static_cast<size_t>(VarintLength(raw.size()));
  if (room <= prefix) return Status::OK();
  if (prefix != 0) {
    EncodeVarint32(compressed_output, static_cast<uint32_t>(raw.size()));
  }
  size_t written = 0;
  if (!codec->Compress(raw, compressed_output + prefix, room - prefix,
                       &written)) {
    return Status::OK();
  }
  INVARIANT(written <= room - prefix);
  *compressed_output_size = prefix + written;
  *out_compression_type = type_;
  return Status::OK();
}

std::shared_ptr<Decompressor> BuiltinCompressor::GetOptimizedDecompressor()
    const {
  using Layout = BuiltinDecompressor::Layout;
  if (dictionary_.empty()) {
    return BuiltinDecompressor::Shared(kFirstManagedVersion);
  }
  return std::make_shared<BuiltinDecompressor>(Layout::kWithSizes, dictionary_);
}

// --- Expanding ---------------------------------------------------------------

BuiltinDecompressor::BuiltinDecompressor(Layout layout, Slice dictionary)
    : layout_(layout), dictionary_(dictionary.ToString()) {
  for (size_t type = 0; type < codecs_.size(); ++type) {
    const Codec* codec = CodecOf(static_cast<CompressionType>(type));
    if (codec != nullptr && codec->new_decompressor != nullptr) {
      codecs_[type] = codec->new_decompressor(dictionary_);
    }
  }
}

BuiltinDecompressor::~BuiltinDecompressor() = default;

const std::shared_ptr<Decompressor>& BuiltinDecompressor::Shared(
    uint32_t format_version) {
  using Pointer = std::shared_ptr<Decompressor>;
  static NoDestructor<Pointer> old(
      std::make_shared<BuiltinDecompressor>(Layout::kOld));
  static NoDestructor<Pointer> with_sizes(
      std::make_shared<BuiltinDecompressor>(Layout::kWithSizes));
  return format_version < 2 ? *old : *with_sizes;
}

Status BuiltinDecompressor::MaybeCloneForDict(
    const Slice& serialized_dict, std::unique_ptr<Decompressor>* out) {
  *out = std::make_unique<BuiltinDecompressor>(layout_, serialized_dict);
  return Status::OK();
}

BuiltinDecompressor::SizePrefix BuiltinDecompressor::PrefixOf(
    CompressionType type) const {
  if (layout_ == Layout::kWithSizes || type == kSnappyCompression ||
      type == kZSTD) {
    return SizePrefix::kVarint;
  }
  const bool is_lz4 = type == kLZ4Compression || type == kLZ4HCCompression;
  return is_lz4 ? SizePrefix::kFixed64 : SizePrefix::kNone;
}

Status BuiltinDecompressor::Find(CompressionType type,
                                 const CodecDecompressor** codec) const {
  if (type > kLastBuiltinCompression || type == kNoCompression) {
    return Status::NotSupported("no built-in compression",
                                CompressionTypeToString(type));
  }
  *codec = codecs_[type].get();
  return *codec == nullptr ? AbsentCodec(type) : Status::OK();
}

Status BuiltinDecompressor::ExtractUncompressedSize(Args& args) {
  const CompressionType type = args.compression_type;
  const CodecDecompressor* codec = nullptr;
  Status s = Find(type, &codec);
  if (!s.ok()) return s;
  const SizePrefix prefix = PrefixOf(type);
  if (prefix == SizePrefix::kNone) {
    size_t counted = 0;
    if (!codec->CountExpanded(args.compressed_data, kMaxCompressibleSize,
                              &counted)) {
      return BadPayload(type, "bad stream");
    }
    args.uncompressed_size = counted;
    return s;
  }
  Slice rest = args.compressed_data;
  uint64_t size = 0;
  const bool found = prefix == SizePrefix::kFixed64 ? GetFixed64(&rest, &size)
                                                    : GetVarint64(&rest, &size);
  if (!found) return BadPayload(type, "uncompressed size is cut off");
  // Snappy's own stream starts with it, so there it stays.
  if (type == kSnappyCompression) rest = args.compressed_data;
  if (size >= kMaxCompressibleSize ||
      size > codec->LargestExpansion(rest.size())) {
    return BadPayload(type, "uncompressed size is impossible");
  }
  args.compressed_data = rest;
  args.uncompressed_size = size;
  return s;
}

Status BuiltinDecompressor::DecompressBlock(const Args& args,
                                            char* uncompressed_output) {
  const CodecDecompressor* codec = nullptr;
  Status s = Find(args.compression_type, &codec);
  if (!s.ok()) return s;
  if (!codec->Decompress(args.compressed_data, uncompressed_output,
                         static_cast<size_t>(args.uncompressed_size))) {
    return BadPayload(args.compression_type,
                      "bad stream, or not of the size it claims");
  }
  return s;
}

// --- For text ----------------------------------------------------------------

bool CompressInto(Compressor* compressor, Slice raw, size_t limit,
                  Compressor::ManagedWorkingArea* area, std::string* out) {
  size_t size = limit;
  CompressionType type = kNoCompression;
  out->resize(limit);
  const Status s =
      compressor->CompressBlock(raw, out->data(), &size, &type, area);
  if (!s.ok() || type == kNoCompression) return false;
  assert(size <= limit);
  out->resize(size);
  return true;
}

Status ExpandInto(Decompressor* decompressor, CompressionType type,
                  Slice payload, std::string* out) {
  Decompressor::Args args;
  args.compression_type = type;
  args.compressed_data = payload;
  Status s = decompressor->ExtractUncompressedSize(args);
  if (!s.ok()) return s;
  std::string expanded(static_cast<size_t>(args.uncompressed_size), '\0');
  s = decompressor->DecompressBlock(args, expanded.data());
  if (s.ok()) *out = std::move(expanded);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
