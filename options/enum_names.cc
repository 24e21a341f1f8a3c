#include "options/enum_names.h"

namespace ROCKSDB_NAMESPACE {

#define ENUM_NAMES(E, ...)                                 \
  template <>                                              \
  std::span<const EnumName<E>> EnumNames<E>() {            \
    static constexpr EnumName<E> kNames[] = {__VA_ARGS__}; \
    return kNames;                                         \
  }

#define IN(Scope, value) \
  { #value, Scope::value }

ENUM_NAMES(BlockBasedTableOptions::BlockSearchType,
           IN(BlockBasedTableOptions, kBinary),
           IN(BlockBasedTableOptions, kInterpolation),
           IN(BlockBasedTableOptions, kAuto))

ENUM_NAMES(BlockBasedTableOptions::DataBlockIndexType,
           IN(BlockBasedTableOptions, kDataBlockBinarySearch),
           IN(BlockBasedTableOptions, kDataBlockBinaryAndHash))

ENUM_NAMES(BlockBasedTableOptions::IndexShorteningMode,
           IN(BlockBasedTableOptions::IndexShorteningMode, kNoShortening),
           IN(BlockBasedTableOptions::IndexShorteningMode, kShortenSeparators),
           IN(BlockBasedTableOptions::IndexShorteningMode,
              kShortenSeparatorsAndSuccessor))

ENUM_NAMES(BlockBasedTableOptions::IndexType,
           IN(BlockBasedTableOptions, kBinarySearch),
           IN(BlockBasedTableOptions, kHashSearch),
           IN(BlockBasedTableOptions, kTwoLevelIndexSearch),
           IN(BlockBasedTableOptions, kBinarySearchWithFirstKey))

ENUM_NAMES(BlockBasedTableOptions::PrepopulateBlockCache,
           IN(BlockBasedTableOptions::PrepopulateBlockCache, kDisable),
           IN(BlockBasedTableOptions::PrepopulateBlockCache, kFlushOnly),
           IN(BlockBasedTableOptions::PrepopulateBlockCache,
              kFlushAndCompaction))

ENUM_NAMES(CacheTier, IN(CacheTier, kVolatileTier),
           IN(CacheTier, kVolatileCompressedTier),
           IN(CacheTier, kNonVolatileBlockTier))

ENUM_NAMES(ChecksumType, IN(ChecksumType, kNoChecksum),
           IN(ChecksumType, kCRC32c), IN(ChecksumType, kxxHash),
           IN(ChecksumType, kxxHash64), IN(ChecksumType, kXXH3))

ENUM_NAMES(CompactionPri, IN(CompactionPri, kByCompensatedSize),
           IN(CompactionPri, kOldestLargestSeqFirst),
           IN(CompactionPri, kOldestSmallestSeqFirst),
           IN(CompactionPri, kMinOverlappingRatio),
           IN(CompactionPri, kRoundRobin))

ENUM_NAMES(CompactionStopStyle,
           IN(CompactionStopStyle, kCompactionStopStyleSimilarSize),
           IN(CompactionStopStyle, kCompactionStopStyleTotalSize))

ENUM_NAMES(CompactionStyle, IN(CompactionStyle, kCompactionStyleLevel),
           IN(CompactionStyle, kCompactionStyleUniversal),
           IN(CompactionStyle, kCompactionStyleFIFO),
           IN(CompactionStyle, kCompactionStyleNone))

#define CUSTOM_CODEC(xx) IN(CompressionType, kCustomCompression##xx)
#define FIFTEEN_CUSTOM_CODECS(x)                                  \
  CUSTOM_CODEC(x##0), CUSTOM_CODEC(x##1), CUSTOM_CODEC(x##2),     \
      CUSTOM_CODEC(x##3), CUSTOM_CODEC(x##4), CUSTOM_CODEC(x##5), \
      CUSTOM_CODEC(x##6), CUSTOM_CODEC(x##7), CUSTOM_CODEC(x##8), \
      CUSTOM_CODEC(x##9), CUSTOM_CODEC(x##A), CUSTOM_CODEC(x##B), \
      CUSTOM_CODEC(x##C), CUSTOM_CODEC(x##D), CUSTOM_CODEC(x##E)
#define SIXTEEN_CUSTOM_CODECS(x) FIFTEEN_CUSTOM_CODECS(x), CUSTOM_CODEC(x##F)

ENUM_NAMES(CompressionType, IN(CompressionType, kNoCompression),
           IN(CompressionType, kSnappyCompression),
           IN(CompressionType, kZlibCompression),
           IN(CompressionType, kBZip2Compression),
           IN(CompressionType, kLZ4Compression),
           IN(CompressionType, kLZ4HCCompression),
           IN(CompressionType, kXpressCompression), IN(CompressionType, kZSTD),
           SIXTEEN_CUSTOM_CODECS(8), SIXTEEN_CUSTOM_CODECS(9),
           SIXTEEN_CUSTOM_CODECS(A), SIXTEEN_CUSTOM_CODECS(B),
           SIXTEEN_CUSTOM_CODECS(C), SIXTEEN_CUSTOM_CODECS(D),
           SIXTEEN_CUSTOM_CODECS(E), FIFTEEN_CUSTOM_CODECS(F),
           IN(CompressionType, kDisableCompressionOption))

#undef SIXTEEN_CUSTOM_CODECS
#undef FIFTEEN_CUSTOM_CODECS
#undef CUSTOM_CODEC

ENUM_NAMES(EncodingType, IN(EncodingType, kPlain), IN(EncodingType, kPrefix))

ENUM_NAMES(FileAccess, {"default", FileAccess::kDefault},
           {"auto", FileAccess::kAuto}, {"buffered", FileAccess::kBuffered},
           {"uncached", FileAccess::kUncached}, {"direct", FileAccess::kDirect})

ENUM_NAMES(InfoLogLevel, IN(InfoLogLevel, DEBUG_LEVEL),
           IN(InfoLogLevel, INFO_LEVEL), IN(InfoLogLevel, WARN_LEVEL),
           IN(InfoLogLevel, ERROR_LEVEL), IN(InfoLogLevel, FATAL_LEVEL),
           IN(InfoLogLevel, HEADER_LEVEL))

ENUM_NAMES(PinningTier, IN(PinningTier, kFallback), IN(PinningTier, kNone),
           IN(PinningTier, kFlushedAndSimilar), IN(PinningTier, kAll))

ENUM_NAMES(PrepopulateBlobCache, IN(PrepopulateBlobCache, kDisable),
           IN(PrepopulateBlobCache, kFlushOnly))

ENUM_NAMES(Temperature, IN(Temperature, kUnknown), IN(Temperature, kHot),
           IN(Temperature, kWarm), IN(Temperature, kCool),
           IN(Temperature, kCold), IN(Temperature, kIce))

ENUM_NAMES(WALRecoveryMode, IN(WALRecoveryMode, kTolerateCorruptedTailRecords),
           IN(WALRecoveryMode, kAbsoluteConsistency),
           IN(WALRecoveryMode, kPointInTimeRecovery),
           IN(WALRecoveryMode, kSkipAnyCorruptedRecords))

#undef IN
#undef ENUM_NAMES

}  // namespace ROCKSDB_NAMESPACE
