  /**
   * Table files get a temperature when they are old enough. Default: none.
   *
   * @param fileTemperatureAgeThresholds the steps, in ascending order of age
   * @return this object
   */
  public CompactionOptionsFIFO setFileTemperatureAgeThresholds(
      final List<FileTemperatureAge> fileTemperatureAgeThresholds) {
    CompactRangeParts.setTemperatureAges(
        nativeHandle_, FileTemperatureAge.pack(fileTemperatureAgeThresholds));
    return this;
  }

  /**
   * Table files get a temperature when they are old enough.
   *
   * @return the steps
   */
  public List<FileTemperatureAge> fileTemperatureAgeThresholds() {
    return FileTemperatureAge.unpack(CompactRangeParts.getTemperatureAges(nativeHandle_));
  }
