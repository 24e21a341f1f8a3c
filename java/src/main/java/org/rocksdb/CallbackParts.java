package org.rocksdb;

/** Makes the native parts of objects that the engine calls. */
final class CallbackParts {
  static {
    LibraryLoader.load();
  }

  private CallbackParts() {}

  static native long comparator(AbstractComparator comparator, byte[] name, boolean isKnown);

  static native long nativeComparator(long address);

  static native long logger(Logger logger, int level);

  static native long stderrLogger(int level, byte[] prefix);

  static native void setLogLevel(long logger, int level);

  static native int logLevel(long logger);

  static native long listener(AbstractEventListener listener, long enabledEvents);

  static native long tableFilter(AbstractTableFilter filter);

  static native long filterFactory(AbstractCompactionFilterFactory<?> factory, byte[] name);

  static native long traceWriter(AbstractTraceWriter writer);

  static native long walFilter(AbstractWalFilter filter, byte[] name);

  static native long inplaceCallback(AbstractInplaceCallback callback);

  static native long partitionStrategy(AbstractBlobFilePartitionStrategy strategy, byte[] name);

  static native long compactionService(AbstractCompactionService service, byte[] name);
}
