package org.rocksdb.util;

/** Sizes in bytes. */
public class SizeUnit {
  /** 1024 bytes. */
  public static final long KB = 1024L;
  /** 1024 KB. */
  public static final long MB = KB * KB;
  /** 1024 MB. */
  public static final long GB = KB * MB;
  /** 1024 GB. */
  public static final long TB = KB * GB;
  /** 1024 TB. */
  public static final long PB = KB * TB;

  private SizeUnit() {}
}
