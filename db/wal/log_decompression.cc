#include "db/wal/log_decompression.h"

#include <cassert>
#include <cstdint>

#include "db/wal/log_format.h"
#include "rocksdb/compression_type.h"
#include "util/coding.h"
#include "util/invariant.h"

#ifdef ZSTD
#include <zstd.h>
#endif

namespace ROCKSDB_NAMESPACE::log {

namespace {

constexpr uint32_t kFrameMagic = 0xfd2fb528;
#ifdef ZSTD
static_assert(kFrameMagic == ZSTD_MAGICNUMBER);
#endif
static_assert(kLogCompressionZstd == static_cast<uint32_t>(kZSTD));
// What a frame says of its size is not believed: memory grows as bytes come.
[[maybe_unused]] constexpr size_t kStepBytes = 64 << 10;

}  // namespace

bool LooksCompressed(const Slice& bytes) {
  return bytes.size() >= sizeof(kFrameMagic) &&
         DecodeFixed32(bytes.data()) == kFrameMagic;
}

#ifdef ZSTD

struct Decompression::Context {
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> zstd;
};

Status Decompression::Create(std::unique_ptr<Decompression>* result) {
  assert(result != nullptr);
  auto made = std::make_unique<Decompression>(PassKey{});
  made->context_ = std::make_unique<Context>();
  made->context_->zstd.reset(ZSTD_createDCtx());
  if (made->context_->zstd == nullptr) {
    return Status::MemoryLimit("no memory to expand the log");
  }
  *result = std::move(made);
  return Status::OK();
}

Status Decompression::Expand(const Slice& frame, std::string* output) {
  assert(output != nullptr);
  output->clear();
  if (frame.empty()) return Status::OK();
  ZSTD_DCtx* const zstd = context_->zstd.get();
  INVARIANT(zstd != nullptr);
  if (ZSTD_isError(ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only))) {
    return Status::Corruption("the log's codec cannot be reset");
  }
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  size_t left = 1;
  while (left != 0) {
    const size_t filled = output->size();
    output->resize(filled + kStepBytes);
    ZSTD_outBuffer out{output->data() + filled, kStepBytes, 0};
    left = ZSTD_decompressStream(zstd, &out, &in);
    assert(out.pos <= kStepBytes);
    output->resize(filled + out.pos);
    if (ZSTD_isError(left)) {
      return Status::Corruption("bad compressed record",
                                ZSTD_getErrorName(left));
    }
    const bool is_stuck = out.pos == 0 && in.pos == in.size;
    if (left != 0 && is_stuck) {
      return Status::Corruption("bad compressed record", "it is cut short");
    }
  }
  assert(in.pos <= in.size);
  if (in.pos != in.size) {
    return Status::Corruption("bad compressed record", "bytes behind its end");
  }
  return Status::OK();
}

#else

struct Decompression::Context {};

Status Decompression::Create(std::unique_ptr<Decompression>* /*result*/) {
  return Status::NotSupported("the log is compressed with ZSTD",
                              "which is not in this build");
}

Status Decompression::Expand(const Slice& /*frame*/, std::string* /*output*/) {
  INVARIANT(false);
}

#endif

Decompression::Decompression(PassKey) {}
Decompression::~Decompression() = default;

}  // namespace ROCKSDB_NAMESPACE::log
