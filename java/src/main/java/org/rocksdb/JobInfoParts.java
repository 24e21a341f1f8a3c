package org.rocksdb;

/** What {@link CompactionJobInfo} asks the native library. */
final class JobInfoParts {
  static {
    LibraryLoader.load();
  }

  private JobInfoParts() {}

  static native long create();

  static native byte[] familyName(long info);

  /** Status, input files, output files. */
  static native byte[] packed(long info);

  /** Thread, job, input level, output level, reason, codec. */
  static native long number(long info, int which);

  static native byte[] tables(long info);

  static native long stats(long info);
}
