# No allocator: a name for it.
add_library(JeMalloc::JeMalloc INTERFACE IMPORTED)
set(JeMalloc_FOUND TRUE)
