package org.rocksdb;

import java.nio.ByteBuffer;

/** The answer for one key of {@link RocksDB#multiGetByteBuffers}. */
public class ByteBufferGetStatus {
  /** How the lookup went. */
  public final Status status;
  /** The bytes of the whole value. */
  public final int requiredSize;
  /** The value, as far as it had room; null where there is none. */
  public final ByteBuffer value;

  ByteBufferGetStatus(final Status status, final int requiredSize, final ByteBuffer value) {
    this.status = status;
    this.requiredSize = requiredSize;
    this.value = value;
  }

  ByteBufferGetStatus(final Status status) {
    this(status, 0, null);
  }
}
