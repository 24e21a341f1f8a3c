package org.rocksdb;

/** How an order in Java gets keys. */
public class ComparatorOptions extends RocksObject {
  private ReusedSynchronisationType type = ReusedSynchronisationType.ADAPTIVE_MUTEX;
  private boolean useDirectBuffer = true;
  private int maxReusedBufferSize = 64;

  /** With the defaults. */
  public ComparatorOptions() {
    super(SliceParts.create(new byte[0], 0));
  }

  private void check() {
    SliceParts.size(nativeHandle_);
  }

  /**
   * How threads share buffers: each has its own, whatever is set.
   *
   * @return what was set
   */
  public ReusedSynchronisationType reusedSynchronisationType() {
    check();
    return type;
  }

  /**
   * How threads share buffers: each has its own, whatever is set.
   *
   * @param reusedSynchronisationType remembered
   * @return this object
   */
  public ComparatorOptions setReusedSynchronisationType(
      final ReusedSynchronisationType reusedSynchronisationType) {
    check();
    type = reusedSynchronisationType;
    return this;
  }

  /**
   * Whether keys come in direct buffers.
   *
   * @return what was set
   */
  public boolean useDirectBuffer() {
    check();
    return useDirectBuffer;
  }

  /**
   * Whether keys come in direct buffers.
   *
   * @param useDirectBuffer false for buffers of the heap
   * @return this object
   */
  public ComparatorOptions setUseDirectBuffer(final boolean useDirectBuffer) {
    check();
    this.useDirectBuffer = useDirectBuffer;
    return this;
  }

  /**
   * Up to which size keys come in buffers that are reused: 4 KiB, whatever is set.
   *
   * @return what was set
   */
  public int maxReusedBufferSize() {
    check();
    return maxReusedBufferSize;
  }

  /**
   * Up to which size keys come in buffers that are reused: 4 KiB, whatever is set.
   *
   * @param maxReusedBufferSize remembered
   * @return this object
   */
  public ComparatorOptions setMaxReusedBufferSize(final int maxReusedBufferSize) {
    check();
    this.maxReusedBufferSize = maxReusedBufferSize;
    return this;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
