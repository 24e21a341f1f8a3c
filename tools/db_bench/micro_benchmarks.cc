// Benchmarks of the parts that every block passes: checksums and codecs. They
// use no database.

#include <xxhash.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/codecs.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/option_flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kChecksumBytes = uint64_t{5000} << 20;
constexpr uint64_t kCodecBytes = uint64_t{1} << 30;

// How long they go on is counted in bytes of blocks.
Status CheckBlockSize() {
  if (FLAGS_block_size >= 1) return Status::OK();
  return Status::InvalidArgument("--block_size", "must be at least 1");
}

using Checksum = uint64_t (*)(const char* data, size_t size);

uint64_t ChecksumCrc32c(const char* data, size_t size) {
  return Crc32c(data, size);
}

uint64_t ChecksumXxhash(const char* data, size_t size) {
  return XXH32(data, size, 0);
}

uint64_t ChecksumXxhash64(const char* data, size_t size) {
  return XXH64(data, size, 0);
}

uint64_t ChecksumXxh3(const char* data, size_t size) {
  return XXH3_64bits(data, size);
}

Status RunChecksum(Worker& worker, Checksum checksum, Operation operation) {
  if (Status s = CheckBlockSize(); !s.ok()) return s;
  const std::string data(static_cast<size_t>(FLAGS_block_size), 'x');
  uint64_t mixed = 0;
  for (uint64_t bytes = 0; bytes < kChecksumBytes; bytes += data.size()) {
    mixed ^= checksum(data.data(), data.size()) + bytes;
    worker.stats.AddBytes(data.size());
    worker.stats.Finished(1, operation);
  }
  // Whoever can see the result keeps the compiler from leaving it out.
  fprintf(stderr, "... val=0x%llx\r", Printable(mixed));
  worker.stats.SetMessage(Format("(%zu per op)", data.size()));
  return Status::OK();
}

Status RunCrc32c(Worker& worker) {
  return RunChecksum(worker, ChecksumCrc32c, Operation::kCrc);
}

Status RunXxhash(Worker& worker) {
  return RunChecksum(worker, ChecksumXxhash, Operation::kHash);
}

Status RunXxhash64(Worker& worker) {
  return RunChecksum(worker, ChecksumXxhash64, Operation::kHash);
}

Status RunXxh3(Worker& worker) {
  return RunChecksum(worker, ChecksumXxh3, Operation::kHash);
}

// One operation loads a shared pointer a thousand times, as a reader does that
// wants to see all that was written before it was stored.
Status RunAcquireLoad(Worker& worker) {
  constexpr int kLoadsEach = 1000;
  constexpr uint64_t kOperations = 100'000;
  const int target = 0;
  std::atomic<const int*> shared{&target};
  uintptr_t mixed = 0;
  for (uint64_t i = 0; i < kOperations; ++i) {
    for (int load = 0; load < kLoadsEach; ++load) {
      // acquire: nothing is stored meanwhile; its cost is what is measured.
      mixed ^=
          reinterpret_cast<uintptr_t>(shared.load(std::memory_order_acquire));
    }
    worker.stats.Finished(1, Operation::kOther);
  }
  worker.stats.SetMessage(
      Format("(each %d loads%s)", kLoadsEach, mixed != 0 ? ", odd" : ""));
  return Status::OK();
}

Status MakeCodec(std::unique_ptr<Codec>* codec) {
  if (Status s = CheckBlockSize(); !s.ok()) return s;
  return Codec::Create(FLAGS_compression_type, FLAGS_compression_level, codec);
}

Status RunCompress(Worker& worker) {
  std::unique_ptr<Codec> codec;
  if (Status s = MakeCodec(&codec); !s.ok()) return s;
  ValueGenerator values(worker.value_shape, worker.random.Next());
  const Slice raw = values.Next(static_cast<uint32_t>(FLAGS_block_size));
  std::string output;
  uint64_t produced = 0;
  uint64_t bytes = 0;
  while (bytes < kCodecBytes) {
    if (!codec->Compress(raw, &output)) {
      return Status::Corruption("compress", "the library failed");
    }
    produced += output.size();
    bytes += raw.size();
    worker.stats.AddBytes(raw.size());
    worker.stats.Finished(1, Operation::kCompress);
  }
  worker.stats.SetMessage(Format(
      "(output: %.1f%%)",
      100.0 * static_cast<double>(produced) / static_cast<double>(bytes)));
  return Status::OK();
}

// What a block costs that does not shrink: it is compressed, and the result is
// thrown away, as the engine does with one that saves less than an eighth.
Status RunCompressReject(Worker& worker) {
  std::unique_ptr<Codec> codec;
  if (Status s = MakeCodec(&codec); !s.ok()) return s;
  std::string raw(static_cast<size_t>(FLAGS_block_size), '\0');
  for (char& byte : raw) byte = static_cast<char>(worker.random.Next());
  std::string output;
  uint64_t rejected = 0;
  uint64_t total = 0;
  for (uint64_t bytes = 0; bytes < kCodecBytes; bytes += raw.size()) {
    if (!codec->Compress(raw, &output)) {
      return Status::Corruption("compressreject", "the library failed");
    }
    rejected += output.size() > raw.size() - raw.size() / 8;
    ++total;
    worker.stats.AddBytes(raw.size());
    worker.stats.Finished(1, Operation::kCompress);
  }
  worker.stats.SetTally({"(", rejected, " of ", total, " rejected)"});
  return Status::OK();
}

Status RunUncompress(Worker& worker) {
  std::unique_ptr<Codec> codec;
  if (Status s = MakeCodec(&codec); !s.ok()) return s;
  ValueGenerator values(worker.value_shape, worker.random.Next());
  const Slice raw = values.Next(static_cast<uint32_t>(FLAGS_block_size));
  std::string compressed;
  std::string output(raw.size(), '\0');
  if (!codec->Compress(raw, &compressed) ||
      !codec->Uncompress(compressed, &output) || output != raw) {
    return Status::Corruption("uncompress", "does not give back its input");
  }
  for (uint64_t bytes = 0; bytes < kCodecBytes; bytes += raw.size()) {
    if (!codec->Uncompress(compressed, &output)) {
      return Status::Corruption("uncompress", "the library failed");
    }
    worker.stats.AddBytes(raw.size());
    worker.stats.Finished(1, Operation::kUncompress);
  }
  return Status::OK();
}

}  // namespace

std::vector<Benchmark> MicroBenchmarks() {
  constexpr auto kNone = Benchmark::Database::kNone;
  return {
      {.name = "crc32c", .run = RunCrc32c, .database = kNone},
      {.name = "xxhash", .run = RunXxhash, .database = kNone},
      {.name = "xxhash64", .run = RunXxhash64, .database = kNone},
      {.name = "xxh3", .run = RunXxh3, .database = kNone},
      {.name = "acquireload", .run = RunAcquireLoad, .database = kNone},
      {.name = "compress", .run = RunCompress, .database = kNone},
      {.name = "compressreject", .run = RunCompressReject, .database = kNone},
      {.name = "uncompress", .run = RunUncompress, .database = kNone},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
