package org.rocksdb;

import java.util.Arrays;

/** Packs what a native method needs into one array; java/jni/packing.h reads it. */
final class Packer {
  private byte[] bytes = new byte[256];
  private int size;

  Packer putLong(final long value) {
    return putInt((int) (value >>> 32)).putInt((int) value);
  }

  Packer putInt(final int value) {
    reserve(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  Packer putBoolean(final boolean value) {
    reserve(1);
    bytes[size++] = (byte) (value ? 1 : 0);
    return this;
  }

  Packer putBytes(final byte[] value) {
    putInt(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  Packer putText(final String value) {
    return putBytes(Text.utf8(value));
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void reserve(final int more) {
    final long needed = (long) size + more;
    if (needed > Integer.MAX_VALUE - 8) {
      throw new OutOfMemoryError("more than an array can hold");
    }
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(
          bytes, (int) Math.min(Math.max(needed, 2L * bytes.length), Integer.MAX_VALUE - 8));
    }
  }
}
