package org.rocksdb;

import java.nio.ByteBuffer;

/**
 * An order that a program's own native library has: its {@code initializeNative} makes a comparator
 * of the engine's class, and answers its address. From then on the comparator is this library's,
 * which deletes it when nobody uses it any more.
 */
public abstract class NativeComparatorWrapper extends AbstractComparator {
  /** What {@code initializeNative} makes. */
  public NativeComparatorWrapper() {
    super();
  }

  @Override
  final long handleOf(final long made) {
    return CallbackParts.nativeComparator(made);
  }

  private static IllegalStateException notHere() {
    return new IllegalStateException("the order is native");
  }

  @Override
  public final String name() {
    throw notHere();
  }

  @Override
  public final int compare(final ByteBuffer s1, final ByteBuffer s2) {
    throw notHere();
  }

  @Override
  public final void findShortestSeparator(final ByteBuffer start, final ByteBuffer limit) {
    throw notHere();
  }

  @Override
  public final void findShortSuccessor(final ByteBuffer key) {
    throw notHere();
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }
}
