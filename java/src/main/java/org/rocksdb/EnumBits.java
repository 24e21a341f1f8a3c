package org.rocksdb;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** Sets of constants as the native library has them: a bit for each, by its place. */
final class EnumBits {
  private EnumBits() {}

  static long of(final Collection<? extends Enum<?>> constants) {
    long bits = 0;
    for (final Enum<?> each : constants) {
      bits |= 1L << each.ordinal();
    }
    return bits;
  }

  static <E extends Enum<E>> Set<E> in(final long bits, final Class<E> type) {
    final Set<E> constants = EnumSet.noneOf(type);
    for (final E each : type.getEnumConstants()) {
      if ((bits >> each.ordinal() & 1) != 0) {
        constants.add(each);
      }
    }
    return constants;
  }
}
