package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Entries that an iterator that walks forward has read before they are asked for, so that a step,
 * its key and its value are no calls of the engine. No more are read than were stepped over since
 * the last jump.
 */
final class EntriesAhead {
  private static final int PLAIN_STEPS = 3;
  private static final int MOST_ENTRIES = 256;
  private static final int FIRST_BYTES = 4 << 10;
  private static final int MOST_BYTES = 64 << 10;
  private static final int HEAD_BYTES = 8;

  private byte[] bytes;
  private int room = FIRST_BYTES;
  // How many there are, and which is the present one; if they are equal, the native iterator stands
  // at it.
  private int count;
  private int present;
  private int keyStart;
  private int keySize;
  private int valueSize;
  private boolean hasMore;
  private boolean isOff;
  private int steps;

  /** Whether the present entry is here. */
  boolean isPresent() {
    return present < count;
  }

  /** Forgets all: the native iterator has jumped. */
  void clear() {
    count = 0;
    present = 0;
    steps = 0;
  }

  /** Steps forward, and tells whether there is an entry. */
  boolean next(final long iterator) {
    if (steps < MOST_ENTRIES) {
      steps++;
    }
    if (isPresent()) {
      present++;
      if (isPresent()) {
        show(keyStart + keySize + valueSize);
        return true;
      }
      return hasMore;
    }
    if (isOff || steps <= PLAIN_STEPS) {
      return Iterators.move(iterator, Iterators.NEXT);
    }
    return read(iterator);
  }

  private boolean read(final long iterator) {
    count = 0;
    present = 0;
    if (bytes == null || bytes.length < room) {
      bytes = new byte[room];
    }
    final int result = Iterators.nextEntries(iterator, bytes, steps);
    hasMore = (result & 1) != 0;
    isOff = (result & 2) != 0;
    count = result >>> 2;
    if (hasMore && count < steps && room < MOST_BYTES) {
      room *= 2;
    }
    if (count == 0) {
      return hasMore;
    }
    show(0);
    return true;
  }

  private void show(final int start) {
    keySize = intAt(start);
    valueSize = intAt(start + 4);
    keyStart = start + HEAD_BYTES;
  }

  private int intAt(final int index) {
    return (bytes[index] & 0xFF) | (bytes[index + 1] & 0xFF) << 8
        | (bytes[index + 2] & 0xFF) << 16 | bytes[index + 3] << 24;
  }

  /** Sets the native iterator to the present entry. */
  void bringBack(final long iterator) {
    Iterators.seek(iterator, bytes, keyStart, keySize, false);
  }

  private int start(final boolean ofValue) {
    return ofValue ? keyStart + keySize : keyStart;
  }

  private int size(final boolean ofValue) {
    return ofValue ? valueSize : keySize;
  }

  byte[] get(final boolean ofValue) {
    final int start = start(ofValue);
    return Arrays.copyOfRange(bytes, start, start + size(ofValue));
  }

  int copy(final boolean ofValue, final byte[] target, final int offset, final int room) {
    final int size = size(ofValue);
    System.arraycopy(bytes, start(ofValue), target, offset, Math.min(size, room));
    return size;
  }

  /** Fills a buffer from its position on, which stays. */
  int copy(final boolean ofValue, final ByteBuffer target) {
    final int size = size(ofValue);
    final int position = target.position();
    target.put(bytes, start(ofValue), Math.min(size, target.remaining()));
    ((Buffer) target).position(position);
    return size;
  }
}
