import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;

/**
 * For Kafka Streams: stores whose flushes and compactions leave the page cache to the reads. It is
 * named in the property {@code rocksdb.config.setter}; the jar takes the place of rocksdbjni's on
 * the class path. Only setters that Kafka passes on have an effect here.
 */
public class DirectCompactions implements RocksDBConfigSetter {
  @Override
  public void setConfig(
      final String store, final Options options, final Map<String, Object> properties) {
    options.setUseDirectIoForFlushAndCompaction(true);
    options.setCompactionReadaheadSize(2 << 20);
  }

  @Override
  public void close(final String store, final Options options) {}
}
