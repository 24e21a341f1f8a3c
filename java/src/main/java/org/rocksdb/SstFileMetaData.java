package org.rocksdb;

/** A table file of a database. */
public class SstFileMetaData {
  private final String fileName;
  private final String path;
  private final long size;
  private final long smallestSeqno;
  private final long largestSeqno;
  private final byte[] smallestKey;
  private final byte[] largestKey;
  private final long numReadsSampled;
  private final boolean beingCompacted;
  private final long numEntries;
  private final long numDeletions;
  private final byte[] fileChecksum;

  /** All that is known of a file, in the order of the getters. */
  @SuppressWarnings("PMD.ArrayIsStoredDirectly")
  protected SstFileMetaData(final String fileName, final String path, final long size,
      final long smallestSeqno, final long largestSeqno, final byte[] smallestKey,
      final byte[] largestKey, final long numReadsSampled, final boolean beingCompacted,
      final long numEntries, final long numDeletions, final byte[] fileChecksum) {
    this.fileName = fileName;
    this.path = path;
    this.size = size;
    this.smallestSeqno = smallestSeqno;
    this.largestSeqno = largestSeqno;
    this.smallestKey = smallestKey;
    this.largestKey = largestKey;
    this.numReadsSampled = numReadsSampled;
    this.beingCompacted = beingCompacted;
    this.numEntries = numEntries;
    this.numDeletions = numDeletions;
    this.fileChecksum = fileChecksum;
  }

  SstFileMetaData(final Unpacker in) {
    this(in.readString(), in.readString(), in.readLong(), in.readLong(), in.readLong(),
        in.readBytes(), in.readBytes(), in.readLong(), in.readBoolean(), in.readLong(),
        in.readLong(), in.readBytes());
  }

  /** Its name, with a slash before it. */
  public String fileName() {
    return fileName;
  }

  /** Its directory. */
  public String path() {
    return path;
  }

  /** Its bytes. */
  public long size() {
    return size;
  }

  /** The number of the oldest entry. */
  public long smallestSeqno() {
    return smallestSeqno;
  }

  /** The number of the newest entry. */
  public long largestSeqno() {
    return largestSeqno;
  }

  /** Its first key. */
  public byte[] smallestKey() {
    return smallestKey;
  }

  /** Its last key. */
  public byte[] largestKey() {
    return largestKey;
  }

  /** About how often it was read. */
  public long numReadsSampled() {
    return numReadsSampled;
  }

  /** Whether a compaction reads it now. */
  public boolean beingCompacted() {
    return beingCompacted;
  }

  /** Its entries. */
  public long numEntries() {
    return numEntries;
  }

  /** Deletions among its entries. */
  public long numDeletions() {
    return numDeletions;
  }

  /** Its checksum; empty if there is none. */
  public byte[] fileChecksum() {
    return fileChecksum;
  }
}
