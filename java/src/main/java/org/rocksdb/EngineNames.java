package org.rocksdb;

import java.util.HashMap;
import java.util.Map;

/** Constants as the engine writes them in options. */
final class EngineNames {
  private static final Map<Enum<?>, String> NAMES = new HashMap<>();

  static {
    NAMES.put(CompressionType.NO_COMPRESSION, "kNoCompression");
    NAMES.put(CompressionType.SNAPPY_COMPRESSION, "kSnappyCompression");
    NAMES.put(CompressionType.ZLIB_COMPRESSION, "kZlibCompression");
    NAMES.put(CompressionType.BZLIB2_COMPRESSION, "kBZip2Compression");
    NAMES.put(CompressionType.LZ4_COMPRESSION, "kLZ4Compression");
    NAMES.put(CompressionType.LZ4HC_COMPRESSION, "kLZ4HCCompression");
    NAMES.put(CompressionType.XPRESS_COMPRESSION, "kXpressCompression");
    NAMES.put(CompressionType.ZSTD_COMPRESSION, "kZSTD");
    NAMES.put(CompressionType.DISABLE_COMPRESSION_OPTION, "kDisableCompressionOption");
    NAMES.put(PrepopulateBlobCache.PREPOPULATE_BLOB_DISABLE, "kDisable");
    NAMES.put(PrepopulateBlobCache.PREPOPULATE_BLOB_FLUSH_ONLY, "kFlushOnly");
  }

  private EngineNames() {}

  static String of(final Enum<?> constant) {
    return NAMES.getOrDefault(constant, constant.name());
  }

  static Enum<?> constant(final Class<? extends Enum<?>> type, final String name) {
    for (final Enum<?> each : type.getEnumConstants()) {
      if (of(each).equals(name) || each.name().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(type.getSimpleName() + " has no " + name);
  }
}
