package org.rocksdb;

/** The table of native objects. */
final class Handles {
  static {
    LibraryLoader.load();
  }

  private Handles() {}

  /** Ends an object; a handle that is closed already, or of none, is passed over. */
  static native void close(long handle);

  /** Whether an object is open. */
  static native boolean isOpen(long handle);

  /** How many native objects live. */
  static native long liveObjects();

  /** How many of each type are open. */
  static native byte[] openObjectsByType();
}
