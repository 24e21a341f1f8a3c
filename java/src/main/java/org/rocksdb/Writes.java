package org.rocksdb;

import java.nio.ByteBuffer;
import org.rocksdb.util.BufferUtil;

/** Updates: what the many forms of put, merge and delete have in common. */
final class Writes {
  // The numbers of java/jni/updates.h.
  static final int PUT = 0;
  static final int MERGE = 1;
  static final int DELETE = 2;
  static final int SINGLE_DELETE = 3;
  static final int DELETE_RANGE = 4;

  static {
    LibraryLoader.load();
  }

  private Writes() {}

  static native void update(long database, long family, long options, int operation, byte[] key,
      int offset, int size, byte[] value, int valueOffset, int valueSize) throws RocksDBException;

  static native void updateDirect(long database, long family, long options, int operation,
      long key, int size, long value, int valueSize) throws RocksDBException;

  static native void batch(long database, long options, long batch) throws RocksDBException;

  /** With a key and a value. */
  static void write(final RocksDB database, final ColumnFamilyHandle family,
      final WriteOptions options, final int operation, final byte[] key, final byte[] value)
      throws RocksDBException {
    update(database.nativeHandle_, RocksObject.handleOf(family), RocksObject.handleOf(options),
        operation, key, 0, key.length, value, 0, value.length);
  }

  static void write(final RocksDB database, final ColumnFamilyHandle family,
      final WriteOptions options, final int operation, final byte[] key, final int offset,
      final int size, final byte[] value, final int valueOffset, final int valueSize)
      throws RocksDBException {
    BufferUtil.CheckBounds(offset, size, key.length);
    BufferUtil.CheckBounds(valueOffset, valueSize, value.length);
    update(database.nativeHandle_, RocksObject.handleOf(family), RocksObject.handleOf(options),
        operation, key, offset, size, value, valueOffset, valueSize);
  }

  static void write(final RocksDB database, final ColumnFamilyHandle family,
      final WriteOptions options, final int operation, final ByteBuffer key,
      final ByteBuffer value) throws RocksDBException {
    final long cf = RocksObject.handleOf(family);
    final long write = RocksObject.handleOf(options);
    if (Buffers.areDirect(key, value)) {
      updateDirect(database.nativeHandle_, cf, write, operation, Buffers.address(key),
          key.remaining(), Buffers.address(value), value.remaining());
    } else {
      update(database.nativeHandle_, cf, write, operation, key.array(), Buffers.offset(key),
          key.remaining(), value.array(), Buffers.offset(value), value.remaining());
    }
    Buffers.consume(key);
    Buffers.consume(value);
  }

  /** With a key alone. */
  static void remove(final RocksDB database, final ColumnFamilyHandle family,
      final WriteOptions options, final int operation, final byte[] key, final int offset,
      final int size) throws RocksDBException {
    BufferUtil.CheckBounds(offset, size, key.length);
    update(database.nativeHandle_, RocksObject.handleOf(family), RocksObject.handleOf(options),
        operation, key, offset, size, null, 0, 0);
  }

  static void remove(final RocksDB database, final ColumnFamilyHandle family,
      final WriteOptions options, final ByteBuffer key) throws RocksDBException {
    final long cf = RocksObject.handleOf(family);
    final long write = RocksObject.handleOf(options);
    if (key.isDirect()) {
      updateDirect(database.nativeHandle_, cf, write, DELETE, Buffers.address(key),
          key.remaining(), 0, 0);
    } else {
      update(database.nativeHandle_, cf, write, DELETE, key.array(), Buffers.offset(key),
          key.remaining(), null, 0, 0);
    }
    Buffers.consume(key);
  }
}
