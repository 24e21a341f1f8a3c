package org.rocksdb;

/**
 * The value of an option; nothing of this library uses it.
 *
 * @param <T> its type
 */
public abstract class MutableOptionValue<T> {
  /** A value. */
  public MutableOptionValue() {}
}
