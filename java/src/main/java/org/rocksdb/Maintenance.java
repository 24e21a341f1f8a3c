package org.rocksdb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Flushes, compactions, properties and files of a database. */
final class Maintenance {
  // The numbers of java/jni/maintenance.cc.
  static final int PAUSE = 0;
  static final int CONTINUE = 1;
  static final int FLUSH_WAL = 2;
  static final int FLUSH_WAL_SYNC = 3;
  static final int SYNC_WAL = 4;
  static final int DISABLE_DELETIONS = 5;
  static final int ENABLE_DELETIONS = 6;
  static final int VERIFY_CHECKSUM = 7;
  static final int END_TRACE = 8;
  static final int CATCH_UP = 9;

  static final int LEVELS = 0;
  static final int MEM_COMPACTION_LEVEL = 1;
  static final int STOP_TRIGGER = 2;

  static {
    LibraryLoader.load();
  }

  private Maintenance() {}

  static byte[] pack(final Packer packer, final List<String> texts) {
    packer.putInt(texts.size());
    for (final String text : texts) {
      packer.putText(text);
    }
    return packer.toBytes();
  }

  static Map<String, TableProperties> tables(final byte[] packed) {
    final Unpacker in = new Unpacker(packed);
    final Map<String, TableProperties> tables = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final String name = in.readString();
      tables.put(name, TableProperties.read(in));
    }
    return tables;
  }

  static native void run(long database, int step) throws RocksDBException;

  static native byte[] property(long database, long family, byte[] name) throws RocksDBException;

  static native byte[] prometheusText(long database) throws RocksDBException;

  static native byte[] mapProperty(long database, long family, byte[] name)
      throws RocksDBException;

  static native long longProperty(long database, long family, byte[] name)
      throws RocksDBException;

  static native long aggregatedProperty(long database, byte[] name) throws RocksDBException;

  static native void resetStats(long database) throws RocksDBException;

  static native long[] approximateSizes(long database, long family, byte[] ranges, byte flags);

  static native long[] memTableStats(long database, long family, byte[] begin, byte[] end);

  static native void compactRange(long database, long family, byte[] begin, byte[] end,
      long options) throws RocksDBException;

  static native void clip(long database, long family, byte[] begin, byte[] end)
      throws RocksDBException;

  static native void setOptions(long database, long family, byte[] packed)
      throws RocksDBException;

  static native void setDatabaseOptions(long database, byte[] packed) throws RocksDBException;

  static native byte[] optionsText(long database, long family, boolean ofDatabase)
      throws RocksDBException;

  static native byte[] compactFiles(long database, long options, long family, byte[] packed,
      long info) throws RocksDBException;

  static native void cancelBackgroundWork(long database, boolean wait);

  static native void abortCompactions(long database, boolean abort);

  static native void enableAutoCompaction(long database, long[] families)
      throws RocksDBException;

  static native int number(long database, long family, int which);

  static native void flush(long database, long options, long[] families)
      throws RocksDBException;

  static native long latestSequence(long database);

  static native byte[] liveFiles(long database, boolean flushMemtable) throws RocksDBException;

  static native byte[] sortedWalFiles(long database) throws RocksDBException;

  static native long updatesSince(long database, long sequence) throws RocksDBException;

  static native byte[] liveFilesMetaData(long database);

  static native byte[] familyMetaData(long database, long family);

  static native void ingest(long database, long family, byte[] files, long options)
      throws RocksDBException;

  static native byte[] tableProperties(long database, long family, byte[] ranges)
      throws RocksDBException;

  static native byte[] suggestCompactRange(long database, long family) throws RocksDBException;

  static native void promoteL0(long database, long family, int level) throws RocksDBException;

  static native long[] memoryUsage(long[] databases, long[] caches);

  static native void startTrace(long database, long maxSize, long writer)
      throws RocksDBException;

  static native void deleteFilesInRanges(long database, long family, byte[] keys,
      boolean includeEnd) throws RocksDBException;
}
