package org.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Table files that are older than an age get a temperature. */
public class FileTemperatureAge {
  private final Temperature temperature;
  private final long age;

  /**
   * A step.
   *
   * @param temperature what they get
   * @param age seconds
   */
  public FileTemperatureAge(final Temperature temperature, final long age) {
    this.temperature = Objects.requireNonNull(temperature);
    this.age = age;
  }

  /**
   * What older files get.
   *
   * @return the temperature
   */
  public Temperature temperature() {
    return temperature;
  }

  /**
   * How old they are.
   *
   * @return seconds
   */
  public long age() {
    return age;
  }

  static byte[] pack(final List<FileTemperatureAge> ages) {
    final Packer packer = new Packer().putInt(ages.size());
    for (final FileTemperatureAge each : ages) {
      packer.putInt(each.temperature.getValue()).putLong(each.age);
    }
    return packer.toBytes();
  }

  static List<FileTemperatureAge> unpack(final byte[] packed) {
    final Unpacker in = new Unpacker(packed);
    final List<FileTemperatureAge> ages = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      final Temperature temperature = Temperature.of((byte) in.readInt());
      ages.add(new FileTemperatureAge(temperature, in.readLong()));
    }
    return ages;
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final FileTemperatureAge that = (FileTemperatureAge) o;
    return age == that.age && temperature == that.temperature;
  }

  @Override
  public int hashCode() {
    return Objects.hash(temperature, age);
  }
}
