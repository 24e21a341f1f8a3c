package org.rocksdb;

/** Parts of {@link ReadOptions} that are no plain fields. */
final class ReadParts {
  static final int LOWER_BOUND = 0;
  static final int UPPER_BOUND = 1;
  static final int TIMESTAMP = 2;
  static final int START_TIMESTAMP = 3;

  static {
    LibraryLoader.load();
  }

  private ReadParts() {}

  static native void setBytes(long options, int which, byte[] bytes);

  static native byte[] getBytes(long options, int which);

  static native void setSnapshot(long options, long snapshot);

  static native long getSnapshot(long options);

  static native void setTableFilter(long options, long filter);

  static native void setIndexFactory(long options, long factory);

  /** Null: none. */
  static native void setRequestId(long options, byte[] id);

  static native byte[] getRequestId(long options);
}
