package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * An order of keys in Java. It may be closed while databases use it.
 *
 * <p>An exception in it comes out of the call that needed the order; a flush or a compaction that
 * needed it fails with its text, and writes nothing.
 */
public abstract class AbstractComparator extends RocksCallbackObject {
  private final boolean usesDirectBuffers_;

  AbstractComparator() {
    usesDirectBuffers_ = false;
  }

  /**
   * An order.
   *
   * @param comparatorOptions how keys are handed over; null: as usual
   */
  protected AbstractComparator(final ComparatorOptions comparatorOptions) {
    usesDirectBuffers_ = comparatorOptions == null || comparatorOptions.useDirectBuffer();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.comparator(this, Text.utf8(name()), isOurs());
  }

  // The classes of this library have the same order as native code.
  private boolean isOurs() {
    return getClass().getName().startsWith("org.rocksdb.util.")
        && getClass().getClassLoader() == AbstractComparator.class.getClassLoader();
  }

  /**
   * Its name, which is stored with the data.
   *
   * @return always the same
   */
  public abstract String name();

  /**
   * Compares keys.
   *
   * @param a one, from position 0 to limit, during the call
   * @param b the other
   * @return less than, equal to, or greater than 0
   */
  public abstract int compare(ByteBuffer a, ByteBuffer b);

  /**
   * May change a key to a shorter one that is not below it, and below another.
   *
   * @param start the key; its limit is where it ends afterwards
   * @param limit the other
   */
  public void findShortestSeparator(final ByteBuffer start, final ByteBuffer limit) {
    // The key stays.
  }

  /**
   * May change a key to a shorter one that is not below it.
   *
   * @param key the key; its limit is where it ends afterwards
   */
  public void findShortSuccessor(final ByteBuffer key) {
    // The key stays.
  }

  /**
   * Whether keys come in direct buffers.
   *
   * @return what the options said
   */
  public final boolean usingDirectBuffers() {
    return usesDirectBuffers_;
  }

  private ByteBuffer view(final ByteBuffer key, final int size) {
    Callbacks.setLimit(key, size);
    if (usesDirectBuffers_) {
      return key;
    }
    final byte[] bytes = new byte[size];
    key.get(bytes);
    return ByteBuffer.wrap(bytes);
  }

  int compareBytes(final ByteBuffer a, final int sizeOfA, final ByteBuffer b, final int sizeOfB) {
    return compare(view(a, sizeOfA), view(b, sizeOfB));
  }

  private ByteBuffer copy(final byte[] key) {
    final ByteBuffer buffer = usesDirectBuffers_
        ? ByteBuffer.allocateDirect(key.length) : ByteBuffer.allocate(key.length);
    buffer.put(key);
    ((Buffer) buffer).flip();
    return buffer;
  }

  private static byte[] rest(final ByteBuffer key) {
    final byte[] bytes = new byte[key.remaining()];
    key.duplicate().get(bytes);
    return bytes;
  }

  byte[] separatorOf(final byte[] start, final byte[] limit) {
    final ByteBuffer key = copy(start);
    findShortestSeparator(key, copy(limit));
    return rest(key);
  }

  byte[] successorOf(final byte[] key) {
    final ByteBuffer buffer = copy(key);
    findShortSuccessor(buffer);
    return rest(buffer);
  }
}
