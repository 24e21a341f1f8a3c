package org.rocksdb;

/** Parts of the options of files, backups and transactions that are no plain fields. */
final class FileParts {
  static final int BACKUP_ENV = 0;
  static final int INFO_LOG = 1;
  static final int BACKUP_RATE_LIMITER = 2;
  static final int RESTORE_RATE_LIMITER = 3;

  static {
    LibraryLoader.load();
  }

  private FileParts() {}

  static native long envOptionsOf(long dbOptions);

  static native void setRateLimiter(long envOptions, long limiter);

  static native void setConfigEnv(long configOptions, long env);

  static native void setSanityLevel(long configOptions, int level);

  /** The place of the constant. */
  static native int getSanityLevel(long configOptions);

  static native void setTransactionComparator(long options, long comparator);

  static native void setBackupObject(long options, int which, long object);
}
