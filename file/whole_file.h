// All bytes of one file, front to back, through a stream of a bulk read: for
// copies and for checksums of whole files.
//
// Threads  One for each stream.
// Errors   Those of the stream, which name the file; or of `take`.
#pragma once

#include <algorithm>
#include <cstdint>

#include "env/job_threads.h"
#include "file/input_stream.h"
#include "rocksdb/file_checksum.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Calls `Status take(Slice)` for one piece after the other.
template <class Take>
Status ForEachPiece(InputStream* data, uint64_t size_bytes, const Take& take) {
  constexpr uint64_t kPieceBytes = 64 << 10;
  INVARIANT(data != nullptr);
  Status s = data->SetRange(0, size_bytes);
  for (uint64_t at = 0; at < size_bytes && s.ok();) {
    const auto n = static_cast<size_t>(std::min(kPieceBytes, size_bytes - at));
    Slice piece;
    s = data->Read(at, n, &piece);
    if (!s.ok()) return s;
    INVARIANT(piece.size() == n);
    s = take(piece);
    JobThreads::GiveWay();
    at += n;
  }
  return s;
}

// The generator is finished when OK.
inline Status DigestFile(InputStream* data, uint64_t size_bytes,
                         FileChecksumGenerator* generator) {
  INVARIANT(generator != nullptr);
  Status s = ForEachPiece(data, size_bytes, [&](const Slice& piece) {
    generator->Update(piece.data(), piece.size());
    return Status::OK();
  });
  if (s.ok()) generator->Finalize();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
