package org.rocksdb;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes native objects that this library made on its own account, such as the options of a
 * descriptor, once nobody can reach them. Whatever the program made it closes itself.
 */
final class Reclaimer {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static final Set<Entry> ENTRIES =
      Collections.newSetFromMap(new ConcurrentHashMap<>());

  private Reclaimer() {}

  /** Closes the handle once the object is gone. */
  static <T extends RocksObject> T watch(final T object) {
    reclaim();
    ENTRIES.add(new Entry(object, object.nativeHandle_));
    return object;
  }

  /** Closes what is due. */
  static void reclaim() {
    for (Object due = QUEUE.poll(); due != null; due = QUEUE.poll()) {
      final Entry entry = (Entry) due;
      ENTRIES.remove(entry);
      Leaks.closed(entry.handle);
      Handles.close(entry.handle);
    }
  }

  private static final class Entry extends PhantomReference<Object> {
    private final long handle;

    Entry(final Object object, final long handle) {
      super(object, QUEUE);
      this.handle = handle;
    }
  }
}
