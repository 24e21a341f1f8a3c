package org.rocksdb;

/** Appends operands to the value, with a delimiter between. */
public class StringAppendOperator extends MergeOperator {
  /** With a comma. */
  public StringAppendOperator() {
    this(',');
  }

  /**
   * With a character.
   *
   * @param delim the delimiter
   */
  public StringAppendOperator(final char delim) {
    this(String.valueOf(delim));
  }

  /**
   * With text.
   *
   * @param delim the delimiter, which may be empty
   */
  public StringAppendOperator(final String delim) {
    super(SharedObjects.stringAppend(Text.utf8(delim)));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
