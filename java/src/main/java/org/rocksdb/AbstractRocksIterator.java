package org.rocksdb;

import java.nio.ByteBuffer;

/**
 * An iterator over entries in the order of their keys.
 *
 * @param <P> what it iterates over
 */
public abstract class AbstractRocksIterator<P extends RocksObject> extends RocksObject
    implements RocksIteratorInterface {
  final P parent_;
  // Whether it is at an entry, as the last move said.
  private boolean isAtEntry_;
  private final EntriesAhead ahead_ = new EntriesAhead();

  /**
   * Holds an iterator.
   *
   * @param parent what it iterates over
   * @param nativeHandle its handle
   */
  protected AbstractRocksIterator(final P parent, final long nativeHandle) {
    super(nativeHandle);
    parent_ = parent;
  }

  final void checkOpen() {
    assert isOwningHandle() : getClass().getSimpleName() + " is closed";
    if (!isOwningHandle()) {
      throw new IllegalStateException(getClass().getSimpleName() + " is closed");
    }
  }

  @Override
  public boolean isValid() {
    checkOpen();
    return isAtEntry_;
  }

  @Override
  public void seekToFirst() {
    ahead_.clear();
    isAtEntry_ = Iterators.move(nativeHandle_, Iterators.FIRST);
  }

  @Override
  public void seekToLast() {
    ahead_.clear();
    isAtEntry_ = Iterators.move(nativeHandle_, Iterators.LAST);
  }

  @Override
  public void seek(final byte[] target) {
    ahead_.clear();
    isAtEntry_ = Iterators.seek(nativeHandle_, target, 0, target.length, false);
  }

  @Override
  public void seekForPrev(final byte[] target) {
    ahead_.clear();
    isAtEntry_ = Iterators.seek(nativeHandle_, target, 0, target.length, true);
  }

  @Override
  public void seek(final ByteBuffer target) {
    seek(target, false);
  }

  @Override
  public void seekForPrev(final ByteBuffer target) {
    seek(target, true);
  }

  private void seek(final ByteBuffer target, final boolean forPrevious) {
    ahead_.clear();
    isAtEntry_ = target.isDirect()
        ? Iterators.seekDirect(
            nativeHandle_, Buffers.address(target), target.remaining(), forPrevious)
        : Iterators.seek(nativeHandle_, target.array(), Buffers.offset(target),
            target.remaining(), forPrevious);
    Buffers.consume(target);
  }

  @Override
  public void next() {
    isAtEntry_ = isOpen() ? ahead_.next(nativeHandle_)
                          : Iterators.move(nativeHandle_, Iterators.NEXT);
  }

  @Override
  public void prev() {
    if (isAhead()) {
      ahead_.bringBack(nativeHandle_);
    }
    ahead_.clear();
    isAtEntry_ = Iterators.move(nativeHandle_, Iterators.PREVIOUS);
  }

  @Override
  public void refresh() throws RocksDBException {
    isAtEntry_ = false;
    ahead_.clear();
    Iterators.refresh(nativeHandle_, 0);
  }

  @Override
  public void refresh(final Snapshot snapshot) throws RocksDBException {
    isAtEntry_ = false;
    ahead_.clear();
    Iterators.refresh(nativeHandle_, snapshot.nativeHandle_);
  }

  @Override
  public void status() throws RocksDBException {
    // An error would be that of a later entry.
    if (!isAhead()) {
      Iterators.status(nativeHandle_);
    }
  }

  // What is closed is left to the engine, which says so.
  private boolean isOpen() {
    return isOwningHandle() && parent_ != null && parent_.isOwningHandle();
  }

  /** Whether the present entry has been read already. */
  private boolean isAhead() {
    return ahead_.isPresent() && isOpen();
  }

  final byte[] get(final boolean ofValue) {
    return isAhead() ? ahead_.get(ofValue) : Iterators.get(nativeHandle_, ofValue);
  }

  final int copy(
      final boolean ofValue, final byte[] target, final int offset, final int room) {
    return isAhead() ? ahead_.copy(ofValue, target, offset, room)
                     : Iterators.getInto(nativeHandle_, ofValue, target, offset, room);
  }

  final int copy(final boolean ofValue, final ByteBuffer target) {
    final int size;
    if (isAhead()) {
      size = ahead_.copy(ofValue, target);
    } else if (target.isDirect()) {
      size = Iterators.getDirect(
          nativeHandle_, ofValue, Buffers.target(target), target.remaining());
    } else {
      size = Iterators.getInto(nativeHandle_, ofValue, target.array(), Buffers.offset(target),
          target.remaining());
    }
    Buffers.limitTo(target, size);
    return size;
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }
}
