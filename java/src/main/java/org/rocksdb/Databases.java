package org.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Opens databases and manages their families. */
final class Databases {
  static final int PLAIN = 0;
  static final int READ_ONLY = 1;
  static final int SECONDARY = 2;
  static final int TTL = 3;
  static final int TRANSACTIONS = 4;
  static final int OPTIMISTIC = 5;

  static {
    LibraryLoader.load();
  }

  private Databases() {}

  /** What {@link #open} needs, up to the families; a kind may add more. */
  static Packer opening(final int kind, final String path,
      final List<ColumnFamilyDescriptor> families) {
    final Packer packer = new Packer().putInt(kind).putText(path);
    if (families == null) {
      return packer.putInt(-1);
    }
    boolean hasDefault = false;
    packer.putInt(families.size());
    for (final ColumnFamilyDescriptor each : families) {
      packer.putBytes(each.getName()).putLong(each.optionsHandle());
      hasDefault |= Arrays.equals(each.getName(), RocksDB.DEFAULT_COLUMN_FAMILY);
    }
    if (!hasDefault && kind != SECONDARY) {
      throw new IllegalArgumentException(
          "You must provide the default column family in your columnFamilyDescriptors");
    }
    return packer;
  }

  /** Handles of the database and its families. */
  static native long[] open(long options, byte[] packed) throws RocksDBException;

  /** Families of a database that was just opened: the caller's list is filled. */
  static void adopt(final RocksDB database, final long[] opened,
      final List<ColumnFamilyDescriptor> descriptors, final List<ColumnFamilyHandle> handles) {
    for (int i = 1; i < opened.length; i++) {
      final ColumnFamilyHandle handle = new ColumnFamilyHandle(database, opened[i]);
      handles.add(handle);
      database.ownedFamilies().add(handle);
      if (Arrays.equals(descriptors.get(i - 1).getName(), RocksDB.DEFAULT_COLUMN_FAMILY)) {
        database.storeDefaultColumnFamilyHandle(handle);
      }
    }
  }

  static byte[] packFamilies(final List<ColumnFamilyDescriptor> families) {
    final Packer packer = new Packer().putInt(families.size());
    for (final ColumnFamilyDescriptor each : families) {
      packer.putBytes(each.getName()).putLong(each.optionsHandle());
    }
    return packer.toBytes();
  }

  static long[] handlesOf(final List<ColumnFamilyHandle> families) {
    final long[] handles = new long[families.size()];
    int next = 0;
    for (final ColumnFamilyHandle each : families) {
      handles[next++] = each.nativeHandle_;
    }
    return handles;
  }

  static native void close(long database) throws RocksDBException;

  static native void destroy(long options, byte[] path) throws RocksDBException;

  static native byte[] openAndCompact(long options, byte[] path, byte[] outputDirectory,
      byte[] input) throws RocksDBException;

  static native byte[] listFamilies(long options, byte[] path) throws RocksDBException;

  static native long defaultFamily(long database);

  static native long[] createFamilies(long database, byte[] packed) throws RocksDBException;

  static native long createFamilyWithTtl(long database, byte[] name, long options, int ttl)
      throws RocksDBException;

  static native long importFamily(long database, byte[] packed, long[] metadata)
      throws RocksDBException;

  static native void dropFamilies(long database, long[] families) throws RocksDBException;

  static native byte[] familyName(long family);

  static native int familyId(long family);

  static native long databaseOfFamily(long family);

  static native long familyOptions(long family) throws RocksDBException;

  static native byte[] name(long database);
}
