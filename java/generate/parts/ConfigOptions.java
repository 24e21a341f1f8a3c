  /**
   * Where options are read from.
   *
   * @param env the environment, which is kept alive
   * @return this object
   */
  public ConfigOptions setEnv(final Env env) {
    FileParts.setConfigEnv(nativeHandle_, env.nativeHandle_);
    return this;
  }

  /**
   * How alike options must be.
   *
   * @param level the level
   * @return this object
   */
  public ConfigOptions setSanityLevel(final SanityLevel level) {
    FileParts.setSanityLevel(nativeHandle_, level.ordinal());
    return this;
  }
