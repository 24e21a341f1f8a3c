package org.rocksdb;

import java.nio.ByteBuffer;

/** The answer for one key of {@link RocksDB#multiGetByteBuffers}. */
public class ByteBufferGetStatus {
  public final Status status;
  public final int requiredSize;
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
