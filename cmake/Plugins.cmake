# Plug-ins that are compiled into the library. ROCKSDB_PLUGINS names them; each
# has a directory plugin/<name>, in this project or in the one around it. Its
# CMakeLists.txt sets, with PARENT_SCOPE:
#
#   <name>_SOURCES        in that directory, compiled as they are
#   <name>_COMPILE_FLAGS  what the compiler is told besides
#   <name>_HEADERS        installed to include/rocksdb/plugin/<name>
#   <name>_INCLUDE_PATHS  where its sources look, besides our own folders
#   <name>_LIBS           what the library links for it
#   <name>_LINK_PATHS     where these lie
#   <name>_CMAKE_SHARED_LINKER_FLAGS, <name>_CMAKE_EXE_LINKER_FLAGS
#   <name>_FUNC           extern "C" int f(ObjectLibrary&, const std::string&),
#                         which adds its factories and returns how many; a
#                         plug-in that registers them by itself has none
#
# Sets BASALT_PLUGINS, BASALT_PLUGIN_OBJECTS, and what each library links for
# them.

string(REPLACE " " ";" BASALT_PLUGINS "${ROCKSDB_PLUGINS}")
list(REMOVE_ITEM BASALT_PLUGINS "")

# The directory of a plug-in.
function(basalt_find_plugin plugin result)
  foreach(root ${PROJECT_SOURCE_DIR} ${CMAKE_SOURCE_DIR})
    if(EXISTS ${root}/plugin/${plugin}/CMakeLists.txt)
      set(${result} ${root}/plugin/${plugin} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR
    "ROCKSDB_PLUGINS: there is no plugin/${plugin}/CMakeLists.txt")
endfunction()

# The list that the registry reads (options/builtin_plugins.h). It stands beside
# the floors: whoever links some of them alone, as their tests do, takes an empty
# one, since a plug-in may need any floor.
function(basalt_add_plugin_list target declarations rows)
  set(source ${PROJECT_BINARY_DIR}/generated/${target}.cc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/builtin_plugins.cc.in ${source}
    @ONLY)
  add_library(${target} OBJECT ${source})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE basalt_flags)
endfunction()

# What each library links for them, and where that lies.
set(BASALT_PLUGIN_LIBS "")
set(BASALT_PLUGIN_LINK_PATHS "")
set(BASALT_PLUGIN_DECLARATIONS "")
set(BASALT_PLUGIN_ROWS "")
set(BASALT_PLUGIN_OBJECTS "")
foreach(plugin IN LISTS BASALT_PLUGINS)
  basalt_find_plugin(${plugin} directory)
  add_subdirectory(${directory} ${PROJECT_BINARY_DIR}/plugin/${plugin})
  if(NOT ${plugin}_SOURCES)
    message(FATAL_ERROR "${directory}/CMakeLists.txt has to set "
      "${plugin}_SOURCES with PARENT_SCOPE")
  endif()
  message(STATUS "plug-in ${plugin}: ${directory}")

  list(TRANSFORM ${plugin}_SOURCES PREPEND ${directory}/ REGEX "^[^/]")
  list(TRANSFORM ${plugin}_HEADERS PREPEND ${directory}/ REGEX "^[^/]")
  add_library(basalt_plugin_${plugin} OBJECT ${${plugin}_SOURCES})
  set_target_properties(basalt_plugin_${plugin} PROPERTIES
    POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
    COMPILE_FLAGS "${${plugin}_COMPILE_FLAGS}")
  target_compile_features(basalt_plugin_${plugin} PRIVATE cxx_std_20)
  target_compile_definitions(basalt_plugin_${plugin} PRIVATE
    ${BASALT_DEFINITIONS})
  target_include_directories(basalt_plugin_${plugin} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${directory}
    ${${plugin}_INCLUDE_PATHS})
  list(APPEND BASALT_PLUGIN_OBJECTS $<TARGET_OBJECTS:basalt_plugin_${plugin}>)

  list(APPEND BASALT_PLUGIN_LIBS ${${plugin}_LIBS})
  list(APPEND BASALT_PLUGIN_LINK_PATHS ${${plugin}_LINK_PATHS})
  foreach(library IN LISTS ${plugin}_LIBS)
    if(library MATCHES "^(-l)?([A-Za-z0-9_.+][A-Za-z0-9_.+-]*)$")
      list(APPEND BASALT_PC_LIBS -l${CMAKE_MATCH_2})
    endif()
  endforeach()
  string(APPEND CMAKE_SHARED_LINKER_FLAGS
    " ${${plugin}_CMAKE_SHARED_LINKER_FLAGS}")
  string(APPEND CMAKE_EXE_LINKER_FLAGS " ${${plugin}_CMAKE_EXE_LINKER_FLAGS}")

  if(${plugin}_FUNC)
    string(APPEND BASALT_PLUGIN_DECLARATIONS
      "int ${${plugin}_FUNC}(ROCKSDB_NAMESPACE::ObjectLibrary&,\n"
      "    const std::string&);\n")
    string(APPEND BASALT_PLUGIN_ROWS
      "    {\"${plugin}\", ${${plugin}_FUNC}},\n")
  endif()
endforeach()

basalt_add_plugin_list(basalt_plugins "${BASALT_PLUGIN_DECLARATIONS}"
  "${BASALT_PLUGIN_ROWS}")
list(APPEND BASALT_PLUGIN_OBJECTS $<TARGET_OBJECTS:basalt_plugins>)
