package org.rocksdb;

/** How shared table files of backups are named: one of the first two, and the flag. */
public final class ShareFilesNaming {
  /** By checksum and size: a file is read to know its name. */
  public static final int kLegacyCrc32cAndFileSize = 1;
  /** By the session of the database that wrote the file. */
  public static final int kUseDbSessionId = 2;
  /** And by the size; joined with {@code |}. */
  public static final int kFlagIncludeFileSize = 1 << 31;

  private ShareFilesNaming() {}
}
