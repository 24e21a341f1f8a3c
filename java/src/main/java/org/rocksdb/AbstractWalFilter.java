package org.rocksdb;

import java.util.HashMap;
import java.util.Map;

/** Inspects records of the log. An exception in it comes out of the open. */
public abstract class AbstractWalFilter extends RocksCallbackObject implements WalFilter {
  /** A filter. */
  public AbstractWalFilter() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.walFilter(this, Text.utf8(name()));
  }

  final void familiesNative(final Unpacker in) {
    final Map<Integer, Long> logs = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final int family = in.readInt();
      logs.put(family, in.readLong());
    }
    final Map<String, Integer> names = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final String name = in.readString();
      names.put(name, in.readInt());
    }
    columnFamilyLogNumberMap(logs, names);
  }

  /** What to do, and in a higher bit whether the new batch takes the place. */
  final int recordNative(
      final long log, final String file, final long batch, final long newBatch) {
    final LogRecordFoundResult result = logRecordFound(
        log, file, WriteBatch.borrowed(batch), WriteBatch.borrowed(newBatch));
    return result.walProcessingOption.getValue() | (result.batchChanged ? 256 : 0);
  }
}
