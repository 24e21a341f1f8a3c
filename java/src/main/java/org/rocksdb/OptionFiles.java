package org.rocksdb;

import java.util.List;

/** What {@link OptionsUtil} asks the native library. */
final class OptionFiles {
  // The numbers of java/jni/option_files.cc.
  private static final int BLOCK_BASED = 1;
  private static final int PLAIN = 2;

  static {
    LibraryLoader.load();
  }

  private OptionFiles() {}

  static native byte[] load(long config, byte[] path, boolean isFile, long options)
      throws RocksDBException;

  static native byte[] latest(byte[] path, long env) throws RocksDBException;

  /** Adds the families of a file to a list. */
  static void read(final Unpacker in, final List<ColumnFamilyDescriptor> families) {
    for (int left = in.readInt(); left > 0; left--) {
      final byte[] name = in.readBytes();
      final ColumnFamilyOptions options = new ColumnFamilyOptions(in.readLong());
      options.setFetchedTableFormatConfig(readFormat(in));
      families.add(new ColumnFamilyDescriptor(name, options));
    }
  }

  private static TableFormatConfig readFormat(final Unpacker in) {
    final int format = in.readInt();
    final long table = in.readLong();
    final String bits = in.readString();
    try {
      switch (format) {
        case BLOCK_BASED:
          return BlockBasedTableConfig.of(
              table, bits.isEmpty() ? null : new BloomFilter(Double.parseDouble(bits)));
        case PLAIN:
          return PlainTableConfig.of(table);
        default:
          return null;
      }
    } finally {
      Handles.close(table);
    }
  }
}
