package org.rocksdb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Options as names and text. */
public class AbstractMutableOptions {
  /** Between two options in text. */
  protected static final String KEY_VALUE_PAIR_SEPARATOR = ";";
  /** Between the name of an option and its value. */
  protected static final char KEY_VALUE_SEPARATOR = '=';

  static final String INT_ARRAY_SEPARATOR = ":";

  /** The names, as the engine has them. */
  protected final String[] keys;
  private final String[] values;

  /**
   * Options.
   *
   * @param keys their names
   * @param values their values
   */
  protected AbstractMutableOptions(final String[] keys, final String[] values) {
    this.keys = keys;
    this.values = values;
  }

  final byte[] pack() {
    final Packer packer = new Packer().putInt(keys.length);
    for (int i = 0; i < keys.length; i++) {
      packer.putText(keys[i]).putText(values[i]);
    }
    return packer.toBytes();
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < keys.length; i++) {
      if (i > 0) {
        text.append(KEY_VALUE_PAIR_SEPARATOR);
      }
      text.append(keys[i]).append(KEY_VALUE_SEPARATOR).append(values[i]);
    }
    return text.toString();
  }

  /**
   * Collects options.
   *
   * @param <T> what is built
   * @param <U> the builder
   * @param <K> the names
   */
  public abstract static class AbstractMutableOptionsBuilder<
      T extends AbstractMutableOptions, U extends AbstractMutableOptionsBuilder<T, U, K>,
      K extends MutableOptionKey> {
    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<OptionString.Entry> unknown = new ArrayList<>();

    /** This. */
    protected abstract U self();

    /** All names. */
    protected abstract Map<String, K> allKeys();

    /** What is built. */
    protected abstract T build(String[] keys, String[] values);

    /** The constants that an option may have; null if it has none. */
    Class<? extends Enum<?>> enumOf(final String name) {
      return null;
    }

    /**
     * What was collected.
     *
     * @return the options
     */
    public T build() {
      return build(options.keySet().toArray(new String[0]),
          options.values().toArray(new String[0]));
    }

    private U put(final K key, final MutableOptionKey.ValueType kind, final String value) {
      if (key.getValueType() != kind
          && !(kind == MutableOptionKey.ValueType.INT
              && key.getValueType() == MutableOptionKey.ValueType.LONG)) {
        throw new IllegalArgumentException(key.name() + " is no " + kind);
      }
      options.put(key.name(), value);
      return self();
    }

    private String get(final K key) {
      final String value = options.get(key.name());
      if (value == null) {
        throw new NoSuchElementException(key.name() + " has not been set");
      }
      return value;
    }

    /**
     * Sets an option whose value is a number with a fraction.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected U setDouble(final K key, final double value) {
      return put(key, MutableOptionKey.ValueType.DOUBLE, Double.toString(value));
    }

    /**
     * The value that was set of an option whose value is a number with a fraction.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     * @throws NumberFormatException if its text, which was parsed, is no number
     */
    protected double getDouble(final K key) throws NoSuchElementException, NumberFormatException {
      return Double.parseDouble(get(key));
    }

    /**
     * Sets an option whose value is a number of 64 bits.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected U setLong(final K key, final long value) {
      return put(key, MutableOptionKey.ValueType.LONG, Long.toString(value));
    }

    /**
     * The value that was set of an option whose value is a number of 64 bits.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     * @throws NumberFormatException if its text, which was parsed, is no number
     */
    protected long getLong(final K key) throws NoSuchElementException, NumberFormatException {
      return longOf(key.name(), get(key));
    }

    /**
     * Sets an option whose value is a number of 32 bits.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected U setInt(final K key, final int value) {
      return put(key, MutableOptionKey.ValueType.INT, Integer.toString(value));
    }

    /**
     * The value that was set of an option whose value is a number of 32 bits.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     * @throws NumberFormatException if its text, which was parsed, is no number
     */
    protected int getInt(final K key) throws NoSuchElementException, NumberFormatException {
      return (int) longOf(key.name(), get(key));
    }

    /**
     * Sets an option whose value is a flag.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected U setBoolean(final K key, final boolean value) {
      return put(key, MutableOptionKey.ValueType.BOOLEAN, Boolean.toString(value));
    }

    /**
     * The value that was set of an option whose value is a flag.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     */
    protected boolean getBoolean(final K key)
        throws NoSuchElementException, NumberFormatException {
      return Boolean.parseBoolean(get(key));
    }

    /**
     * Sets an option whose value is a list of numbers.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException for an option with values of another kind, or an empty list
     */
    protected U setIntArray(final K key, final int[] value) {
      if (value.length == 0) {
        throw new IllegalArgumentException(key.name() + " needs a value");
      }
      final StringBuilder text = new StringBuilder();
      for (final int each : value) {
        if (text.length() > 0) {
          text.append(INT_ARRAY_SEPARATOR);
        }
        text.append(each);
      }
      return put(key, MutableOptionKey.ValueType.INT_ARRAY, text.toString());
    }

    /**
     * The value that was set of an option whose value is a list of numbers.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     * @throws NumberFormatException if its text, which was parsed, is no number
     */
    protected int[] getIntArray(final K key)
        throws NoSuchElementException, NumberFormatException {
      final String text = get(key);
      if (text.isEmpty()) {
        return new int[0];
      }
      final String[] parts = text.split(INT_ARRAY_SEPARATOR);
      final int[] value = new int[parts.length];
      for (int i = 0; i < parts.length; i++) {
        value[i] = Integer.parseInt(parts[i].trim());
      }
      return value;
    }

    /**
     * Sets an option whose value is text.
     *
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected U setString(final K key, final String value) {
      return put(key, MutableOptionKey.ValueType.STRING, value);
    }

    /**
     * The value that was set of an option whose value is text.
     *
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     */
    protected String getString(final K key) {
      return get(key);
    }

    /**
     * Sets an option whose value is a constant of an enumeration.
     *
     * @param <N> the enumeration
     * @param key the option
     * @param value the new value
     * @return this builder
     * @throws IllegalArgumentException if the option has values of another kind
     */
    protected <N extends Enum<N>> U setEnum(final K key, final N value) {
      return put(key, MutableOptionKey.ValueType.ENUM, EngineNames.of(value));
    }

    /**
     * The value that was set of an option whose value is a constant of an enumeration.
     *
     * @param <N> the enumeration
     * @param key the option
     * @return the value
     * @throws NoSuchElementException if none was set
     */
    @SuppressWarnings("unchecked")
    protected <N extends Enum<N>> N getEnum(final K key)
        throws NoSuchElementException, NumberFormatException {
      return (N) EngineNames.constant(enumOf(key.name()), get(key));
    }

    // Whole numbers may have a fraction of 0.
    private static long longOf(final String name, final String value) {
      try {
        return Long.parseLong(value);
      } catch (final NumberFormatException e) {
        if (value.matches("\\d+")) {
          return Long.parseUnsignedLong(value);
        }
        final double number = parsed(name, value);
        if (number != Math.rint(number)) {
          throw new IllegalArgumentException(name + " is no whole number: " + value);
        }
        return (long) number;
      }
    }

    private static double parsed(final String name, final String value) {
      try {
        return Double.parseDouble(value);
      } catch (final NumberFormatException e) {
        throw new IllegalArgumentException(name + " is no number: " + value, e);
      }
    }

    /**
     * Takes what was read.
     *
     * @param parsed names and values
     * @param ignoreUnknown whether other names are kept apart
     * @return this
     */
    protected U fromParsed(
        final List<OptionString.Entry> parsed, final boolean ignoreUnknown) {
      for (final OptionString.Entry entry : parsed) {
        final K key = entry.key.isEmpty() ? null : allKeys().get(entry.key);
        if (key == null) {
          if (!ignoreUnknown) {
            throw new IllegalArgumentException("not a known option: " + entry.key);
          }
          unknown.add(entry);
          continue;
        }
        if (!entry.value.isList()) {
          throw new IllegalArgumentException(entry.key + " has a value with parts");
        }
        take(key, entry.value.list);
      }
      return self();
    }

    private void take(final K key, final List<String> values) {
      final String name = key.name();
      if (key.getValueType() == MutableOptionKey.ValueType.INT_ARRAY) {
        options.put(name, String.join(INT_ARRAY_SEPARATOR, values));
        return;
      }
      final String value = key.getValueType() == MutableOptionKey.ValueType.STRING
          ? String.join(INT_ARRAY_SEPARATOR, values)
          : values.isEmpty() ? "" : values.get(0);
      if (key.getValueType() != MutableOptionKey.ValueType.STRING && values.size() != 1) {
        throw new IllegalArgumentException(name + " has one value, not " + values.size());
      }
      switch (key.getValueType()) {
        case DOUBLE:
          options.put(name, Double.toString(parsed(name, value)));
          break;
        case LONG:
        case INT:
          options.put(name, Long.toString(longOf(name, value)));
          break;
        case BOOLEAN:
          options.put(name, Boolean.toString(Boolean.parseBoolean(value)));
          break;
        case ENUM:
          options.put(name, EngineNames.of(EngineNames.constant(enumOf(name), value)));
          break;
        default:
          options.put(name, value);
      }
    }

    /**
     * What was read and has no name here.
     *
     * @return names and values
     */
    public List<OptionString.Entry> getUnknown() {
      return unknown;
    }
  }
}
