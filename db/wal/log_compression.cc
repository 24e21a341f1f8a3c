#include "db/wal/log_compression.h"

#include <cassert>

#include "util/invariant.h"

#ifdef ZSTD
#include <zstd.h>
#endif

namespace ROCKSDB_NAMESPACE::log {

#ifdef ZSTD

struct Compression::Context {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> zstd;
};

Status Compression::Create(std::unique_ptr<Compression>* result) {
  assert(result != nullptr);
  auto made = std::make_unique<Compression>(PassKey{});
  made->context_ = std::make_unique<Context>();
  made->context_->zstd.reset(ZSTD_createCCtx());
  ZSTD_CCtx* const zstd = made->context_->zstd.get();
  if (zstd == nullptr)
    return Status::MemoryLimit("no memory for the log codec");
  const size_t set = ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  INVARIANT(!ZSTD_isError(set));
  *result = std::move(made);
  return Status::OK();
}

Status Compression::Compress(const Slice& record, std::string* frame) {
  assert(frame != nullptr);
  frame->clear();
  if (record.empty()) return Status::OK();
  ZSTD_CCtx* const zstd = context_->zstd.get();
  INVARIANT(zstd != nullptr);
  frame->resize(ZSTD_compressBound(record.size()));
  const size_t size = ZSTD_compress2(zstd, frame->data(), frame->size(),
                                     record.data(), record.size());
  if (ZSTD_isError(size)) {
    return Status::Aborted("the log codec fails", ZSTD_getErrorName(size));
  }
  assert(size <= frame->size());
  frame->resize(size);
  return Status::OK();
}

#else

struct Compression::Context {};

Status Compression::Create(std::unique_ptr<Compression>* /*result*/) {
  return Status::NotSupported("wal_compression=kZSTD",
                              "this build lacks the codec");
}

Status Compression::Compress(const Slice& /*record*/, std::string* /*frame*/) {
  INVARIANT(false);
}

#endif

Compression::Compression(PassKey) {}
Compression::~Compression() = default;

}  // namespace ROCKSDB_NAMESPACE::log
