package org.rocksdb;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/**
 * Buffers as arguments: those outside of the heap go to the engine as addresses, which it reads in
 * place; those of the heap as their arrays.
 */
final class Buffers {
  static {
    LibraryLoader.load();
  }

  // Reads the address of a direct buffer without a native call; null where the virtual machine
  // does not let us.
  private static final MethodHandle GET_LONG;
  private static final long ADDRESS;

  static {
    MethodHandle getLong = null;
    long address = 0;
    try {
      if (isBeforeWarnings()) {
        final Class<?> type = Class.forName("sun.misc.Unsafe");
        final Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        final Object unsafe = field.get(null);
        final Field where = Buffer.class.getDeclaredField("address");
        address = (long) type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, where);
        getLong = MethodHandles.lookup()
            .findVirtual(type, "getLong", MethodType.methodType(long.class, Object.class, long.class))
            .bindTo(unsafe);
        final ByteBuffer probe = ByteBuffer.allocateDirect(8);
        if ((long) getLong.invokeExact((Object) probe, address) != address0(probe)) {
          getLong = null;
        }
      }
    } catch (final Throwable e) {
      getLong = null;
    }
    GET_LONG = getLong;
    ADDRESS = address;
  }

  private Buffers() {}

  // From Java 24 on, Unsafe warns.
  private static boolean isBeforeWarnings() {
    final String version = System.getProperty("java.specification.version", "");
    return version.startsWith("1.") || Integer.parseInt(version) < 24;
  }

  /** The address of the position of a direct buffer. */
  static long address(final ByteBuffer buffer) {
    return base(buffer) + buffer.position();
  }

  /** The same of one that the engine is to write into. */
  static long target(final ByteBuffer buffer) {
    if (buffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    return address(buffer);
  }

  /** The address of index 0 of a direct buffer. */
  static long base(final ByteBuffer buffer) {
    if (GET_LONG != null) {
      try {
        return (long) GET_LONG.invokeExact((Object) buffer, ADDRESS);
      } catch (final Throwable e) {
        throw new AssertionError(e);
      }
    }
    return address0(buffer);
  }

  private static native long address0(ByteBuffer buffer);

  /** Whether all of them are direct; false: all are of the heap. */
  static boolean areDirect(final ByteBuffer first, final ByteBuffer second)
      throws RocksDBException {
    if (first.isDirect() != second.isDirect()) {
      throw new RocksDBException(
          "ByteBuffer parameters must all be direct, or must all be indirect",
          new Status(Status.Code.InvalidArgument, Status.SubCode.None, null));
    }
    return first.isDirect();
  }

  /** The index of the position in the array of a heap buffer. */
  static int offset(final ByteBuffer buffer) {
    assert buffer.hasArray();
    return buffer.arrayOffset() + buffer.position();
  }

  /** Marks all of a buffer as read. */
  static void consume(final ByteBuffer buffer) {
    ((Buffer) buffer).position(buffer.limit());
  }

  /** Lets a buffer end where the value does. */
  static void limitTo(final ByteBuffer buffer, final int size) {
    ((Buffer) buffer).limit(Math.min(buffer.limit(), buffer.position() + size));
  }

  /** A direct buffer with these bytes. */
  static ByteBuffer directCopy(final byte[] bytes) {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes);
    ((Buffer) buffer).position(0);
    return buffer;
  }

  /** A copy of what remains, which leaves the position where it is. */
  static byte[] bytes(final ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
