package org.rocksdb;

/** The figures of a distribution. */
public class HistogramData {
  private final double median;
  private final double percentile95;
  private final double percentile99;
  private final double average;
  private final double standardDeviation;
  private final double max;
  private final long count;
  private final long sum;
  private final double min;

  /** Some of its figures. */
  public HistogramData(final double median, final double percentile95, final double percentile99,
      final double average, final double standardDeviation) {
    this(median, percentile95, percentile99, average, standardDeviation, 0.0, 0, 0, 0.0);
  }

  /** All its figures. */
  public HistogramData(final double median, final double percentile95, final double percentile99,
      final double average, final double standardDeviation, final double max, final long count,
      final long sum, final double min) {
    this.median = median;
    this.percentile95 = percentile95;
    this.percentile99 = percentile99;
    this.average = average;
    this.standardDeviation = standardDeviation;
    this.max = max;
    this.count = count;
    this.sum = sum;
    this.min = min;
  }

  HistogramData(final Unpacker in) {
    this(in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(),
        in.readDouble(), in.readLong(), in.readLong(), in.readDouble());
  }

  /** The value that half of all are below. */
  public double getMedian() {
    return median;
  }

  /** The value that 95 of 100 are below. */
  public double getPercentile95() {
    return percentile95;
  }

  /** The value that 99 of 100 are below. */
  public double getPercentile99() {
    return percentile99;
  }

  /** The mean. */
  public double getAverage() {
    return average;
  }

  /** The standard deviation. */
  public double getStandardDeviation() {
    return standardDeviation;
  }

  /** The largest value. */
  public double getMax() {
    return max;
  }

  /** How many values there are. */
  public long getCount() {
    return count;
  }

  /** Their sum. */
  public long getSum() {
    return sum;
  }

  /** The smallest value. */
  public double getMin() {
    return min;
  }
}
