package org.rocksdb;

/** What slices ask the native library. */
final class SliceParts {
  static {
    LibraryLoader.load();
  }

  private SliceParts() {}

  /** A copy of an array from an index on. */
  static native long create(byte[] data, int offset);

  /** Memory of a direct buffer, in place. */
  static native long at(long address, int size);

  static native byte[] bytes(long slice);

  static native int size(long slice);

  static native void removePrefix(long slice, int n);

  static native void setSize(long slice, int size);

  static native byte get(long slice, int index);

  /** How far behind an address the bytes begin. */
  static native int offset(long slice, long base);
}
