# ldb and sst_dump without the other programs (WITH_TOOLS=OFF). All but their
# main() is in the library.
foreach(name IN LISTS BASALT_EMBEDDED_TOOLS)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/tools/${name}/main.cc)
  target_link_libraries(${name} PRIVATE basalt_flags rocksdb)
  # Shared objects that they load use what they have.
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
endforeach()
