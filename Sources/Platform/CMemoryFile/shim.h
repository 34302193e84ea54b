#ifndef HOGA_CMEMORYFILE_SHIM_H
#define HOGA_CMEMORYFILE_SHIM_H
// Swift's Glibc module leaves these out, because they need _GNU_SOURCE: declared here as the manual
// pages memfd_create(2) and fcntl(2) give them. Numbers: linux/memfd.h, linux/fcntl.h.
#include <fcntl.h>
#include <sys/types.h>

int memfd_create(const char *name, unsigned int flags);

/// A new empty file in memory, or -1; `errno` tells why.
static inline int hoga_memory_file_open(void)
{
    const unsigned int close_on_exec = 1, allow_sealing = 2;
    return memfd_create("hoga", close_on_exec | allow_sealing);
}

/// Forbids every change of the file; 0, or -1.
static inline int hoga_memory_file_seal(int descriptor)
{
    const int add_seals = 1024 + 9, seal = 1, shrink = 2, grow = 4, write = 8;
    return fcntl(descriptor, add_seals, seal | shrink | grow | write);
}
#endif
