package org.rocksdb;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.rocksdb.util.Environment;

/** Loads the native library once, for whichever class needs it first. */
final class LibraryLoader {
  private enum State { NOT_LOADED, LOADING, LOADED }

  private static final AtomicReference<State> STATE = new AtomicReference<>(State.NOT_LOADED);
  // Only a guard: the other thread may unpack the library to a disk that is slow.
  private static final long WAIT_MILLIS = 600_000;

  private static volatile RocksDB.Version version;

  private LibraryLoader() {}

  private interface Load {
    void run() throws IOException;
  }

  /** Loads it from the usual places. */
  static void load() {
    if (STATE.get() != State.LOADED) {
      load(() -> NativeLibraryLoader.getInstance().loadLibrary(
          System.getenv("ROCKSDB_SHAREDLIB_DIR")));
    }
  }

  /** Loads it from one of these directories. */
  static void load(final List<String> paths) {
    load(() -> loadFrom(paths));
  }

  /** The version of the library; null before it is loaded. */
  static RocksDB.Version version() {
    return version;
  }

  private static void load(final Load how) {
    // A thread that waited for a load that failed tries by itself.
    while (!STATE.compareAndSet(State.NOT_LOADED, State.LOADING)) {
      if (STATE.get() == State.LOADED) {
        return;
      }
      awaitOther();
    }
    boolean isLoaded = false;
    try {
      how.run();
      final int packed = version0();
      version = new RocksDB.Version(
          (byte) (packed >> 16), (byte) (packed >> 8), (byte) packed);
      isLoaded = true;
    } catch (final IOException e) {
      throw new RuntimeException("Unable to load the RocksDB shared library", e);
    } finally {
      STATE.set(isLoaded ? State.LOADED : State.NOT_LOADED);
    }
  }

  private static void awaitOther() {
    final long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
    while (STATE.get() == State.LOADING) {
      if (System.nanoTime() > end) {
        throw new RuntimeException("another thread has not loaded the RocksDB shared library");
      }
      try {
        Thread.sleep(10);
      } catch (final InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RuntimeException("interrupted while the RocksDB shared library is loaded", e);
      }
    }
  }

  private static void loadFrom(final List<String> paths) {
    final String[] names = {
        Environment.getJniLibraryFileName("rocksdb"),
        Environment.getSharedLibraryFileName("rocksdb"),
        // What earlier releases looked for.
        Environment.getJniLibraryFileName("rocksdbjni")};
    UnsatisfiedLinkError last = null;
    for (final String path : paths) {
      for (final String name : names) {
        try {
          System.load(path + "/" + name);
          return;
        } catch (final UnsatisfiedLinkError e) {
          last = e;
        }
      }
    }
    throw last != null ? last : new UnsatisfiedLinkError("no path was given");
  }

  private static native int version0();
}
