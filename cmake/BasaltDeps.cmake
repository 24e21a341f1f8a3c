# Finds a library by header and name. Shared by our own build and by the
# installed CMake package, which therefore finds its dependencies by itself.
#
# Deps have an own namespace, so that they never clash with a target of the
# same library that the surrounding project has found in its own way.

# row: "name:header:library". Defines BasaltDeps::<name>, visible everywhere,
# and sets <result> to TRUE, or to FALSE where header or library is missing.
function(basalt_find_dependency row result)
  string(REPLACE ":" ";" fields ${row})
  list(GET fields 0 name)
  list(GET fields 1 header)
  list(GET fields 2 library)
  set(${result} TRUE PARENT_SCOPE)
  if(TARGET BasaltDeps::${name})
    return()
  endif()

  find_path(BASALT_${name}_INCLUDE_DIR ${header})
  find_library(BASALT_${name}_LIBRARY ${library})
  mark_as_advanced(BASALT_${name}_INCLUDE_DIR BASALT_${name}_LIBRARY)
  if(NOT BASALT_${name}_INCLUDE_DIR OR NOT BASALT_${name}_LIBRARY)
    set(${result} FALSE PARENT_SCOPE)
    return()
  endif()

  add_library(BasaltDeps::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(BasaltDeps::${name} PROPERTIES
    IMPORTED_LOCATION ${BASALT_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${BASALT_${name}_INCLUDE_DIR})
endfunction()
