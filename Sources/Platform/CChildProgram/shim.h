#ifndef HOGA_CCHILDPROGRAM_SHIM_H
#define HOGA_CCHILDPROGRAM_SHIM_H
// Swift's Glibc module leaves these out, because they need _GNU_SOURCE: declared here as the manual
// pages pipe(2), pidfd_open(2), posix_spawn(3) and the header spawn.h of glibc 2.36 give them.
#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>

int pipe2(int ends[2], int flags);
int pidfd_open(pid_t process, unsigned int flags);

/// A pipe that no program inherits: `ends` gets the read end and the write end; 0, or -1.
static inline int hoga_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// Lets the program keep no descriptor from `first` on; 0, or an error number.
static inline int hoga_spawn_close_from(posix_spawn_file_actions_t *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Starts the program in a session of its own, of which it leads the only process group.
static const short hoga_spawn_session = 0x80;
#endif
