# Finds a library: a target that the surrounding project has already, one that
# find_package() brings (so by the project's own modules, too), or else by header
# and name. Shared by our own build and by the installed CMake package, which
# therefore finds its dependencies by itself.
#
# Deps have an own namespace, so that they never clash with a target of the
# same library that the surrounding project has found in its own way.

# The package of a library, then the targets by which packages, modules and the
# libraries' own projects offer it, the preferred one first.
function(basalt_package_of name result)
  set(snappy Snappy Snappy::snappy snappy::snappy Snappy::snappy-static snappy)
  set(lz4 lz4 lz4::lz4 LZ4::lz4 LZ4::lz4_shared LZ4::lz4_static lz4_shared
    lz4_static)
  set(zstd zstd zstd::zstd zstd::libzstd zstd::libzstd_shared
    zstd::libzstd_static libzstd_shared libzstd_static)
  set(zlib ZLIB ZLIB::ZLIB zlib zlibstatic)
  set(bzip2 BZip2 BZip2::BZip2)
  set(gflags gflags gflags::gflags gflags::gflags_shared
    gflags::gflags_static gflags_shared gflags gflags_static)
  set(jemalloc JeMalloc JeMalloc::JeMalloc jemalloc::jemalloc)
  set(liburing uring uring::uring)
  set(tbb TBB TBB::tbb TBB::TBB)
  set(xxhash xxHash xxHash::xxhash xxhash)
  set(${result} ${${name}} PARENT_SCOPE)
endfunction()

# Sets `result` to the first of the targets ARGN that is a library here, or to "".
function(basalt_first_library result)
  set(${result} "" PARENT_SCOPE)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      if(type MATCHES "_LIBRARY$")
        set(${result} ${target} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# As basalt_first_library(), and asks find_package() where there is none.
function(basalt_find_target name result)
  set(${result} "" PARENT_SCOPE)
  basalt_package_of(${name} targets)
  if(NOT targets)
    return()
  endif()
  list(POP_FRONT targets package)
  basalt_first_library(found ${targets})
  if(NOT found)
    get_property(before DIRECTORY PROPERTY IMPORTED_TARGETS)
    find_package(${package} QUIET)
    basalt_first_library(found ${targets})
    if(found)
      basalt_share_targets("${before}" ${targets})
    endif()
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Makes the imported targets visible everywhere that this directory has besides
# `before`: who links us may stand in another one. All those of a package, since
# a project that looks for it there would fail if it had but some of them. ARGN
# are those that can be told before CMake 3.21, which lists what there is.
function(basalt_share_targets before)
  get_property(now DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS now ARGN)
    if(TARGET ${target})
      get_target_property(aliased ${target} ALIASED_TARGET)
      if(aliased)
        set(target ${aliased})
      endif()
      get_target_property(is_imported ${target} IMPORTED)
      list(FIND before ${target} place)
      if(is_imported AND place EQUAL -1)
        set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
      endif()
    endif()
  endforeach()
endfunction()

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

  basalt_find_target(${name} target)
  if(target)
    add_library(BasaltDeps::${name} INTERFACE IMPORTED GLOBAL)
    set_target_properties(BasaltDeps::${name} PROPERTIES
      INTERFACE_LINK_LIBRARIES ${target})
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
