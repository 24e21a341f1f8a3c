#pragma once

// The compression algorithms and their parameters.

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

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

  // Placeholders, so that a switch over all values can be complete.
  kReservedCompression08 = 0x08,
  kReservedCompression09 = 0x09,
  kReservedCompression0A = 0x0A,
  kReservedCompression0B = 0x0B,
  kReservedCompression0C = 0x0C,
  kReservedCompression0D = 0x0D,
  kReservedCompression0E = 0x0E,
  kReservedCompression0F = 0x0F,
  kReservedCompression10 = 0x10,
  kReservedCompression11 = 0x11,
  kReservedCompression12 = 0x12,
  kReservedCompression13 = 0x13,
  kReservedCompression14 = 0x14,
  kReservedCompression15 = 0x15,
  kReservedCompression16 = 0x16,
  kReservedCompression17 = 0x17,
  kReservedCompression18 = 0x18,
  kReservedCompression19 = 0x19,
  kReservedCompression1A = 0x1A,
  kReservedCompression1B = 0x1B,
  kReservedCompression1C = 0x1C,
  kReservedCompression1D = 0x1D,
  kReservedCompression1E = 0x1E,
  kReservedCompression1F = 0x1F,
  kReservedCompression20 = 0x20,
  kReservedCompression21 = 0x21,
  kReservedCompression22 = 0x22,
  kReservedCompression23 = 0x23,
  kReservedCompression24 = 0x24,
  kReservedCompression25 = 0x25,
  kReservedCompression26 = 0x26,
  kReservedCompression27 = 0x27,
  kReservedCompression28 = 0x28,
  kReservedCompression29 = 0x29,
  kReservedCompression2A = 0x2A,
  kReservedCompression2B = 0x2B,
  kReservedCompression2C = 0x2C,
  kReservedCompression2D = 0x2D,
  kReservedCompression2E = 0x2E,
  kReservedCompression2F = 0x2F,
  kReservedCompression30 = 0x30,
  kReservedCompression31 = 0x31,
  kReservedCompression32 = 0x32,
  kReservedCompression33 = 0x33,
  kReservedCompression34 = 0x34,
  kReservedCompression35 = 0x35,
  kReservedCompression36 = 0x36,
  kReservedCompression37 = 0x37,
  kReservedCompression38 = 0x38,
  kReservedCompression39 = 0x39,
  kReservedCompression3A = 0x3A,
  kReservedCompression3B = 0x3B,
  kReservedCompression3C = 0x3C,
  kReservedCompression3D = 0x3D,
  kReservedCompression3E = 0x3E,
  kReservedCompression3F = 0x3F,
  kReservedCompression40 = 0x40,
  kReservedCompression41 = 0x41,
  kReservedCompression42 = 0x42,
  kReservedCompression43 = 0x43,
  kReservedCompression44 = 0x44,
  kReservedCompression45 = 0x45,
  kReservedCompression46 = 0x46,
  kReservedCompression47 = 0x47,
  kReservedCompression48 = 0x48,
  kReservedCompression49 = 0x49,
  kReservedCompression4A = 0x4A,
  kReservedCompression4B = 0x4B,
  kReservedCompression4C = 0x4C,
  kReservedCompression4D = 0x4D,
  kReservedCompression4E = 0x4E,
  kReservedCompression4F = 0x4F,
  kReservedCompression50 = 0x50,
  kReservedCompression51 = 0x51,
  kReservedCompression52 = 0x52,
  kReservedCompression53 = 0x53,
  kReservedCompression54 = 0x54,
  kReservedCompression55 = 0x55,
  kReservedCompression56 = 0x56,
  kReservedCompression57 = 0x57,
  kReservedCompression58 = 0x58,
  kReservedCompression59 = 0x59,
  kReservedCompression5A = 0x5A,
  kReservedCompression5B = 0x5B,
  kReservedCompression5C = 0x5C,
  kReservedCompression5D = 0x5D,
  kReservedCompression5E = 0x5E,
  kReservedCompression5F = 0x5F,
  kReservedCompression60 = 0x60,
  kReservedCompression61 = 0x61,
  kReservedCompression62 = 0x62,
  kReservedCompression63 = 0x63,
  kReservedCompression64 = 0x64,
  kReservedCompression65 = 0x65,
  kReservedCompression66 = 0x66,
  kReservedCompression67 = 0x67,
  kReservedCompression68 = 0x68,
  kReservedCompression69 = 0x69,
  kReservedCompression6A = 0x6A,
  kReservedCompression6B = 0x6B,
  kReservedCompression6C = 0x6C,
  kReservedCompression6D = 0x6D,
  kReservedCompression6E = 0x6E,
  kReservedCompression6F = 0x6F,
  kReservedCompression70 = 0x70,
  kReservedCompression71 = 0x71,
  kReservedCompression72 = 0x72,
  kReservedCompression73 = 0x73,
  kReservedCompression74 = 0x74,
  kReservedCompression75 = 0x75,
  kReservedCompression76 = 0x76,
  kReservedCompression77 = 0x77,
  kReservedCompression78 = 0x78,
  kReservedCompression79 = 0x79,
  kReservedCompression7A = 0x7A,
  kReservedCompression7B = 0x7B,
  kReservedCompression7C = 0x7C,
  kReservedCompression7D = 0x7D,
  kReservedCompression7E = 0x7E,
  kReservedCompression7F = 0x7F,

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

  // zlib only: window size as deflateInit2() takes it, -14 to -8.
  // Default: -14 (raw deflate, 16 KiB).
  int window_bits = -14;

  // Level of the algorithm; larger is smaller and slower for zlib, ZSTD, LZ4HC;
  // for LZ4 a negative level -n trades size for speed.
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
};

}  // namespace ROCKSDB_NAMESPACE
