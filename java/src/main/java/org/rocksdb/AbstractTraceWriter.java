package org.rocksdb;

/** Where a trace goes. An exception in it becomes the status of the write. */
public abstract class AbstractTraceWriter extends RocksCallbackObject implements TraceWriter {
  /** A writer. */
  public AbstractTraceWriter() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.traceWriter(this);
  }

  final void giveAway() {
    disOwnNativeHandle();
  }

  private static byte[] pack(final RocksDBException e) {
    final Status status = e.getStatus() == null
        ? new Status(Status.Code.IOError, Status.SubCode.None, e.getMessage()) : e.getStatus();
    final Status.SubCode subCode =
        status.getSubCode() == null ? Status.SubCode.None : status.getSubCode();
    final String text = status.getState();
    final Packer packed = new Packer().putInt(status.getCode().getValue())
        .putInt(subCode.getValue()).putBoolean(text != null);
    return text == null ? packed.toBytes() : packed.putText(text).toBytes();
  }

  final byte[] writeNative(final long slice) {
    try {
      write(Slice.borrowed(slice));
      return null;
    } catch (final RocksDBException e) {
      return pack(e);
    }
  }

  final byte[] closeNative() {
    try {
      closeWriter();
      return null;
    } catch (final RocksDBException e) {
      return pack(e);
    }
  }
}
