package org.rocksdb;

/** How a compaction verifies the tables that it has written; to be joined with {@code |}. */
public final class VerifyOutputFlags {
  /** Not at all. */
  public static final int kVerifyNone = 0;
  /** Reads each block back and compares its checksum. */
  public static final int kVerifyBlockChecksum = 0x1;
  /** Reads all entries back and compares them with what was written. */
  public static final int kVerifyIteration = 0x2;
  /** Compares the checksum of the whole file, where there is one. */
  public static final int kVerifyFileChecksum = 0x4;
  /** Does that for compactions of this process. */
  public static final int kEnableForLocalCompaction = 0x400;
  /** Does that for compactions of another process. */
  public static final int kEnableForRemoteCompaction = 0x800;
  /** Does all of it for all of them. */
  public static final int kVerifyAll = 0xffffffff;

  private VerifyOutputFlags() {}
}
