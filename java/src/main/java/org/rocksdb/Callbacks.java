package org.rocksdb;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the native library calls. Arguments come as bytes and handles. */
final class Callbacks {
  private Callbacks() {}

  static boolean assertionsOn() {
    return RocksObjectAssertions.ON;
  }

  private static final class RocksObjectAssertions {
    static final boolean ON = AbstractNativeReference.class.desiredAssertionStatus();
  }

  /** An exception as text, for a status. */
  static byte[] describe(final Throwable thrown) {
    return Text.utf8(thrown.toString());
  }

  static int compare(final AbstractComparator comparator, final ByteBuffer a, final int sizeOfA,
      final ByteBuffer b, final int sizeOfB) {
    return comparator.compareBytes(a, sizeOfA, b, sizeOfB);
  }

  static byte[] findSeparator(
      final AbstractComparator comparator, final byte[] start, final byte[] limit) {
    return comparator.separatorOf(start, limit);
  }

  static byte[] findSuccessor(final AbstractComparator comparator, final byte[] key) {
    return comparator.successorOf(key);
  }

  static void log(final Logger logger, final int level, final byte[] text) {
    logger.log(InfoLogLevel.of((byte) level), Text.of(text));
  }

  static boolean onEvent(final AbstractEventListener listener, final int event,
      final long database, final byte[] packed) {
    return listener.dispatch(event, database, new Unpacker(packed));
  }

  static boolean filterTable(final AbstractTableFilter filter, final byte[] properties) {
    return filter.filter(TableProperties.read(new Unpacker(properties)));
  }

  static long createFilter(final AbstractCompactionFilterFactory<?> factory,
      final boolean isFull, final boolean isManual) {
    return factory.createNative(isFull, isManual);
  }

  /** Null, or the packed status that it failed with. */
  static byte[] traceWrite(final AbstractTraceWriter writer, final long slice) {
    return writer.writeNative(slice);
  }

  static byte[] traceClose(final AbstractTraceWriter writer) {
    return writer.closeNative();
  }

  static long traceSize(final AbstractTraceWriter writer) {
    return writer.getFileSize();
  }

  static void walFamilies(final AbstractWalFilter filter, final byte[] packed) {
    filter.familiesNative(new Unpacker(packed));
  }

  static int walRecord(final AbstractWalFilter filter, final long log, final byte[] file,
      final long batch, final long newBatch) {
    return filter.recordNative(log, Text.of(file), batch, newBatch);
  }

  static void batchEvent(final WriteBatch.Handler handler, final int event, final int family,
      final byte[] first, final byte[] second) throws RocksDBException {
    handler.dispatch(event, family, first, second);
  }

  static boolean batchContinues(final WriteBatch.Handler handler) {
    return handler.shouldContinue();
  }

  static void snapshotCreated(final AbstractTransactionNotifier notifier, final long snapshot) {
    notifier.snapshotCreated(snapshot);
  }

  static long flinkTime(final FlinkCompactionFilter.TimeProvider clock) {
    return clock.currentTimestamp();
  }

  static int flinkElements(final FlinkCompactionFilter.ListElementFilter elements,
      final byte[] list, final long ttl, final long now) {
    return elements.nextUnexpiredOffset(list, ttl, now);
  }

  /** Null: nothing changes. */
  static byte[] updateInPlace(
      final AbstractInplaceCallback callback, final byte[] existing, final byte[] delta) {
    return callback.update(existing, delta);
  }

  static int selectPartition(final AbstractBlobFilePartitionStrategy strategy, final int count,
      final int family, final byte[] key, final byte[] value) {
    return strategy.selectPartition(count, family, key, value);
  }

  /** The packed answer; so below. */
  static byte[] scheduleJob(
      final AbstractCompactionService service, final byte[] info, final byte[] input) {
    return service.schedule(new CompactionServiceJobInfo(new Unpacker(info)), input).pack();
  }

  static byte[] waitForJob(final AbstractCompactionService service, final byte[] id) {
    return service.waitForResult(Text.of(id)).pack();
  }

  static void cancelJobs(final AbstractCompactionService service) {
    service.cancelAwaitingJobs();
  }

  static void jobInstalled(
      final AbstractCompactionService service, final byte[] id, final int status) {
    service.onInstallation(Text.of(id), CompactionServiceJobStatus.of((byte) status));
  }

  /** A buffer that was used before as a new one, with a limit. */
  static void setLimit(final ByteBuffer buffer, final int size) {
    ((Buffer) buffer).clear();
    ((Buffer) buffer).limit(size);
    buffer.order(ByteOrder.BIG_ENDIAN);
  }
}
