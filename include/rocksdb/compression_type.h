#pragma once

// The compression algorithms and their parameters.

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <iosfwd>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// One byte of every block in a table file; the values never change.
enum CompressionType : unsigned char {
  kNoCompression = 0x00,
  kSnappyCompression = 0x01,
  kZlibCompression = 0x02,
  kBZip2Compression = 0x03,
  kLZ4Compression = 0x04,
  kLZ4HCCompression = 0x05,
  kXpressCompression = 0x06,
  kZSTD = 0x07,
  kLastBuiltinCompression = kZSTD,

  // Algorithms of applications.
  kCustomCompression80 = 0x80,
  kCustomCompression81 = 0x81,
  kCustomCompression82 = 0x82,
  kCustomCompression83 = 0x83,
  kCustomCompression84 = 0x84,
  kCustomCompression85 = 0x85,
  kCustomCompression86 = 0x86,
  kCustomCompression87 = 0x87,
  kCustomCompression88 = 0x88,
  kCustomCompression89 = 0x89,
  kCustomCompression8A = 0x8A,
  kCustomCompression8B = 0x8B,
  kCustomCompression8C = 0x8C,
  kCustomCompression8D = 0x8D,
  kCustomCompression8E = 0x8E,
  kCustomCompression8F = 0x8F,
  kCustomCompression90 = 0x90,
  kCustomCompression91 = 0x91,
  kCustomCompression92 = 0x92,
  kCustomCompression93 = 0x93,
  kCustomCompression94 = 0x94,
  kCustomCompression95 = 0x95,
  kCustomCompression96 = 0x96,
  kCustomCompression97 = 0x97,
  kCustomCompression98 = 0x98,
  kCustomCompression99 = 0x99,
  kCustomCompression9A = 0x9A,
  kCustomCompression9B = 0x9B,
  kCustomCompression9C = 0x9C,
  kCustomCompression9D = 0x9D,
  kCustomCompression9E = 0x9E,
  kCustomCompression9F = 0x9F,
  kCustomCompressionA0 = 0xA0,
  kCustomCompressionA1 = 0xA1,
  kCustomCompressionA2 = 0xA2,
  kCustomCompressionA3 = 0xA3,
  kCustomCompressionA4 = 0xA4,
  kCustomCompressionA5 = 0xA5,
  kCustomCompressionA6 = 0xA6,
  kCustomCompressionA7 = 0xA7,
  kCustomCompressionA8 = 0xA8,
  kCustomCompressionA9 = 0xA9,
  kCustomCompressionAA = 0xAA,
  kCustomCompressionAB = 0xAB,
  kCustomCompressionAC = 0xAC,
  kCustomCompressionAD = 0xAD,
  kCustomCompressionAE = 0xAE,
  kCustomCompressionAF = 0xAF,
  kCustomCompressionB0 = 0xB0,
  kCustomCompressionB1 = 0xB1,
  kCustomCompressionB2 = 0xB2,
  kCustomCompressionB3 = 0xB3,
  kCustomCompressionB4 = 0xB4,
  kCustomCompressionB5 = 0xB5,
  kCustomCompressionB6 = 0xB6,
  kCustomCompressionB7 = 0xB7,
  kCustomCompressionB8 = 0xB8,
  kCustomCompressionB9 = 0xB9,
  kCustomCompressionBA = 0xBA,
  kCustomCompressionBB = 0xBB,
  kCustomCompressionBC = 0xBC,
  kCustomCompressionBD = 0xBD,
  kCustomCompressionBE = 0xBE,
  kCustomCompressionBF = 0xBF,
  kCustomCompressionC0 = 0xC0,
  kCustomCompressionC1 = 0xC1,
  kCustomCompressionC2 = 0xC2,
  kCustomCompressionC3 = 0xC3,
  kCustomCompressionC4 = 0xC4,
  kCustomCompressionC5 = 0xC5,
  kCustomCompressionC6 = 0xC6,
  kCustomCompressionC7 = 0xC7,
  kCustomCompressionC8 = 0xC8,
  kCustomCompressionC9 = 0xC9,
  kCustomCompressionCA = 0xCA,
  kCustomCompressionCB = 0xCB,
  kCustomCompressionCC = 0xCC,
  kCustomCompressionCD = 0xCD,
  kCustomCompressionCE = 0xCE,
  kCustomCompressionCF = 0xCF,
  kCustomCompressionD0 = 0xD0,
  kCustomCompressionD1 = 0xD1,
  kCustomCompressionD2 = 0xD2,
  kCustomCompressionD3 = 0xD3,
  kCustomCompressionD4 = 0xD4,
  kCustomCompressionD5 = 0xD5,
  kCustomCompressionD6 = 0xD6,
  kCustomCompressionD7 = 0xD7,
  kCustomCompressionD8 = 0xD8,
  kCustomCompressionD9 = 0xD9,
  kCustomCompressionDA = 0xDA,
  kCustomCompressionDB = 0xDB,
  kCustomCompressionDC = 0xDC,
  kCustomCompressionDD = 0xDD,
  kCustomCompressionDE = 0xDE,
  kCustomCompressionDF = 0xDF,
  kCustomCompressionE0 = 0xE0,
  kCustomCompressionE1 = 0xE1,
  kCustomCompressionE2 = 0xE2,
  kCustomCompressionE3 = 0xE3,
  kCustomCompressionE4 = 0xE4,
  kCustomCompressionE5 = 0xE5,
  kCustomCompressionE6 = 0xE6,
  kCustomCompressionE7 = 0xE7,
  kCustomCompressionE8 = 0xE8,
  kCustomCompressionE9 = 0xE9,
  kCustomCompressionEA = 0xEA,
  kCustomCompressionEB = 0xEB,
  kCustomCompressionEC = 0xEC,
  kCustomCompressionED = 0xED,
  kCustomCompressionEE = 0xEE,
  kCustomCompressionEF = 0xEF,
  kCustomCompressionF0 = 0xF0,
  kCustomCompressionF1 = 0xF1,
  kCustomCompressionF2 = 0xF2,
  kCustomCompressionF3 = 0xF3,
  kCustomCompressionF4 = 0xF4,
  kCustomCompressionF5 = 0xF5,
  kCustomCompressionF6 = 0xF6,
  kCustomCompressionF7 = 0xF7,
  kCustomCompressionF8 = 0xF8,
  kCustomCompressionF9 = 0xF9,
  kCustomCompressionFA = 0xFA,
  kCustomCompressionFB = 0xFB,
  kCustomCompressionFC = 0xFC,
  kCustomCompressionFD = 0xFD,
  kCustomCompressionFE = 0xFE,
  kFirstCustomCompression = kCustomCompression80,
  kLastCustomCompression = kCustomCompressionFE,

  // An option that says "as elsewhere". It never reaches a file.
  kDisableCompressionOption = 0xFF,
};

struct CompressionOptions {
  // `level` that stands for the default of the algorithm's library.
  static constexpr int kDefaultCompressionLevel = 32767;

  // zlib only: window size as deflateInit2() takes it, -14 to -9; others are
  // taken as the nearest of these. Default: -14 (raw deflate, 16 KiB).
  int window_bits = -14;

  // Level of the algorithm; larger is smaller and slower. LZ4 and LZ4HC have
  // one scale, and differ in their default alone: levels above 0 are LZ4HC's,
  // and -n trades size for speed as LZ4's acceleration n does (0 as -1). For
  // ZSTD 0 is as -1, too. A level that the library does not have is taken as
  // the nearest that it has.
  // Default: the default of the library. With ZSTD and no dictionary that is 3,
  // or 1 for data blocks of a table where 1 makes them no larger (by less than
  // 1 part in 256), as both tried on some of them show; a level that is set is
  // taken as it is.
  int level = kDefaultCompressionLevel;

  // zlib only: strategy as deflateInit2() takes it. Default: 0.
  int strategy = 0;

  // Bytes of dictionary in each table file; 0 for none. Default: 0.
  uint32_t max_dict_bytes = 0;

  // Bytes of samples from which ZSTD trains its dictionary; 0 takes the
  // samples themselves as dictionary. Default: 0.
  uint32_t zstd_max_train_bytes = 0;

  // Threads that compress blocks of one file; 1 does it in line. Default: 1.
  uint32_t parallel_threads = 1;

  // For bottommost_compression_opts: whether they apply. Default: false.
  bool enabled = false;

  // Bytes of blocks held back as samples for the dictionary; 0 for one file's
  // worth. Default: 0.
  uint64_t max_dict_buffer_bytes = 0;

  // ZSTD: train with samples (true) or only finalize them (false).
  // Default: true.
  bool use_zstd_dict_trainer = true;

  // A block is stored compressed only if each 1024 bytes become at most this
  // many. Default: 896.
  int max_compressed_bytes_per_kb = 1024 * 7 / 8;

  // ZSTD: put a content checksum into each frame. Default: false.
  bool checksum = false;

  // Sets max_compressed_bytes_per_kb so that only blocks that shrink by at
  // least the factor `min_ratio` are stored compressed.
  void SetMinRatio(double min_ratio) {
    max_compressed_bytes_per_kb = static_cast<int>(1024.0 / min_ratio + 0.5);
  }

  bool operator==(const CompressionOptions& that) const {
    return window_bits == that.window_bits && level == that.level &&
           strategy == that.strategy && max_dict_bytes == that.max_dict_bytes &&
           zstd_max_train_bytes == that.zstd_max_train_bytes &&
           parallel_threads == that.parallel_threads &&
           enabled == that.enabled &&
           max_dict_buffer_bytes == that.max_dict_buffer_bytes &&
           use_zstd_dict_trainer == that.use_zstd_dict_trainer &&
           max_compressed_bytes_per_kb == that.max_compressed_bytes_per_kb &&
           checksum == that.checksum;
  }
};

}  // namespace ROCKSDB_NAMESPACE
