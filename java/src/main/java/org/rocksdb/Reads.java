package org.rocksdb;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.util.BufferUtil;

/** Lookups of keys: what the many forms of {@link RocksDB#get} have in common. */
final class Reads {
  static {
    LibraryLoader.load();
  }

  private Reads() {}

  static native byte[] get(long database, long family, long options, byte[] key, int offset,
      int size) throws RocksDBException;

  static native int getInto(long database, long family, long options, byte[] key, int offset,
      int size, byte[] target, int targetOffset, int room) throws RocksDBException;

  static native int getDirect(long database, long family, long options, long key, int size,
      long target, int room) throws RocksDBException;

  static native boolean exists(
      long database, long family, long options, byte[] key, int offset, int size);

  static native boolean existsDirect(long database, long family, long options, long key, int size);

  static native boolean mayExist(long database, long family, long options, byte[] key, int offset,
      int size, byte[][] holder);

  static native int mayExistDirect(
      long database, long family, long options, long key, int size, long target, int room);

  static native byte[][] multiGet(long database, long[] families, long options, byte[] keys)
      throws RocksDBException;

  static native byte[] multiGetDirect(long database, long[] families, long options, long[] places)
      throws RocksDBException;

  static native long snapshot(long database);

  static native long sequenceOf(long snapshot);

  static byte[] find(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final byte[] key, final int offset, final int size)
      throws RocksDBException {
    BufferUtil.CheckBounds(offset, size, key.length);
    return get(database.nativeHandle_, RocksObject.handleOf(family),
        RocksObject.handleOf(options), key, offset, size);
  }

  static int findInto(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final byte[] key, final int offset, final int size,
      final byte[] value, final int valueOffset, final int room) throws RocksDBException {
    BufferUtil.CheckBounds(offset, size, key.length);
    BufferUtil.CheckBounds(valueOffset, room, value.length);
    return getInto(database.nativeHandle_, RocksObject.handleOf(family),
        RocksObject.handleOf(options), key, offset, size, value, valueOffset, room);
  }

  static int findInto(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    final long cf = RocksObject.handleOf(family);
    final long read = RocksObject.handleOf(options);
    final int size = Buffers.areDirect(key, value)
        ? getDirect(database.nativeHandle_, cf, read, Buffers.address(key), key.remaining(),
            Buffers.target(value), value.remaining())
        : getInto(database.nativeHandle_, cf, read, key.array(), Buffers.offset(key),
            key.remaining(), value.array(), Buffers.offset(value), value.remaining());
    Buffers.consume(key);
    if (size != RocksDB.NOT_FOUND) {
      Buffers.limitTo(value, size);
    }
    return size;
  }

  static boolean isThere(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final byte[] key, final int offset, final int size) {
    BufferUtil.CheckBounds(offset, size, key.length);
    return exists(database.nativeHandle_, RocksObject.handleOf(family),
        RocksObject.handleOf(options), key, offset, size);
  }

  static boolean isThere(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final ByteBuffer key) {
    final long cf = RocksObject.handleOf(family);
    final long read = RocksObject.handleOf(options);
    return key.isDirect()
        ? existsDirect(database.nativeHandle_, cf, read, Buffers.address(key), key.remaining())
        : exists(database.nativeHandle_, cf, read, key.array(), Buffers.offset(key),
            key.remaining());
  }

  static boolean mayBeThere(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final byte[] key, final int offset, final int size,
      final Holder<byte[]> holder) {
    BufferUtil.CheckBounds(offset, size, key.length);
    final byte[][] value = holder == null ? null : new byte[1][];
    final boolean may = mayExist(database.nativeHandle_, RocksObject.handleOf(family),
        RocksObject.handleOf(options), key, offset, size, value);
    if (holder != null) {
      holder.setValue(value[0]);
    }
    return may;
  }

  static boolean mayBeThere(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final ByteBuffer key) {
    final boolean may;
    if (key.isDirect()) {
      may = mayExistDirect(database.nativeHandle_, RocksObject.handleOf(family),
          RocksObject.handleOf(options), Buffers.address(key), key.remaining(), 0, 0) != -1;
    } else {
      may = mayExist(database.nativeHandle_, RocksObject.handleOf(family),
          RocksObject.handleOf(options), key.array(), Buffers.offset(key), key.remaining(), null);
    }
    Buffers.consume(key);
    return may;
  }

  static KeyMayExist mayBeThere(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final ByteBuffer key, final ByteBuffer value) {
    assert value != null : "value ByteBuffer parameter cannot be null. If you do not need the "
        + "value, use a different version of the method";
    final int size;
    if (key.isDirect() && value.isDirect()) {
      size = mayExistDirect(database.nativeHandle_, RocksObject.handleOf(family),
          RocksObject.handleOf(options), Buffers.address(key), key.remaining(),
          Buffers.target(value), value.remaining());
      Buffers.consume(key);
      if (size >= 0) {
        Buffers.limitTo(value, size);
      }
    } else {
      size = mayBeThereInHeap(database, family, options, key, value);
    }
    if (size == -1) {
      return new KeyMayExist(KeyMayExist.KeyMayExistEnum.kNotExist, 0);
    }
    return size == -2
        ? new KeyMayExist(KeyMayExist.KeyMayExistEnum.kExistsWithoutValue, 0)
        : new KeyMayExist(KeyMayExist.KeyMayExistEnum.kExistsWithValue, size);
  }

  private static int mayBeThereInHeap(final RocksDB database, final ColumnFamilyHandle family,
      final ReadOptions options, final ByteBuffer key, final ByteBuffer value) {
    final byte[] bytes = Buffers.bytes(key);
    final Holder<byte[]> holder = new Holder<>();
    final boolean may = mayBeThere(database, family, options, bytes, 0, bytes.length, holder);
    Buffers.consume(key);
    if (!may) {
      return -1;
    }
    final byte[] found = holder.getValue();
    if (found == null) {
      return -2;
    }
    final int copied = Math.min(found.length, value.remaining());
    value.duplicate().put(found, 0, copied);
    Buffers.limitTo(value, found.length);
    return found.length;
  }

  static byte[] packKeys(final List<byte[]> keys) {
    final Packer packer = new Packer().putInt(keys.size());
    for (final byte[] key : keys) {
      packer.putBytes(key);
    }
    return packer.toBytes();
  }

  static List<byte[]> findAll(final RocksDB database, final List<ColumnFamilyHandle> families,
      final ReadOptions options, final List<byte[]> keys) throws RocksDBException {
    assert !keys.isEmpty();
    if (families != null && families.size() != keys.size()) {
      throw new IllegalArgumentException(
          "For each key there must be a ColumnFamilyHandle.");
    }
    return Arrays.asList(multiGet(database.nativeHandle_,
        families == null ? new long[0] : Databases.handlesOf(families),
        RocksObject.handleOf(options), packKeys(keys)));
  }

  static List<ByteBufferGetStatus> findAll(final RocksDB database,
      final List<ColumnFamilyHandle> families, final ReadOptions options,
      final List<ByteBuffer> keys, final List<ByteBuffer> values) throws RocksDBException {
    checkBuffers(families, keys, values);
    final long[] places = new long[4 * keys.size()];
    for (int i = 0; i < keys.size(); i++) {
      final ByteBuffer value = values.get(i);
      places[4 * i] = Buffers.address(keys.get(i));
      places[4 * i + 1] = keys.get(i).remaining();
      places[4 * i + 2] = Buffers.target(value);
      places[4 * i + 3] = room(value);
    }
    final Unpacker in = new Unpacker(multiGetDirect(database.nativeHandle_,
        Databases.handlesOf(families), RocksObject.handleOf(options), places));
    final List<ByteBufferGetStatus> found = new ArrayList<>(keys.size());
    for (final ByteBuffer value : values) {
      final Status status = Status.read(in);
      final int size = in.readInt();
      if (status.getCode() != Status.Code.Ok && status.getCode() != Status.Code.Incomplete) {
        found.add(new ByteBufferGetStatus(status));
        continue;
      }
      final int end = value.position() + Math.min(size, room(value));
      ((java.nio.Buffer) value).limit(end);
      found.add(new ByteBufferGetStatus(status, size, value));
    }
    return found;
  }

  // A buffer at its beginning is filled up to its capacity, whatever its limit; else up to that.
  private static int room(final ByteBuffer value) {
    return value.position() == 0 ? value.capacity() : value.remaining();
  }

  private static void checkBuffers(final List<ColumnFamilyHandle> families,
      final List<ByteBuffer> keys, final List<ByteBuffer> values) {
    assert !keys.isEmpty();
    if (keys.size() != values.size()) {
      throw new IllegalArgumentException("For each key there must be a corresponding value. "
          + keys.size() + " keys were supplied, but " + values.size() + " values were supplied.");
    }
    if (families.size() > 1 && families.size() != keys.size()) {
      throw new IllegalArgumentException("Wrong number of ColumnFamilyHandle(s) supplied. "
          + "Provide 0, 1, or as many as there are keys.");
    }
    for (final ByteBuffer key : keys) {
      if (!key.isDirect()) {
        throw new IllegalArgumentException("All key buffers must be direct byte buffers");
      }
    }
    for (final ByteBuffer value : values) {
      if (!value.isDirect()) {
        throw new IllegalArgumentException("All value buffers must be direct byte buffers");
      }
    }
  }
}
