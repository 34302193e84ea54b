// Files, sockets, events, threads and programs.

FAILS_ERRNO(int, accept4, (int a, any *b, any *c, int d), (a, b, c, d), -1, EMFILE)
FAILS_ERRNO(int, access, (text *a, int b), (a, b), -1, EACCES)
FAILS_ERRNO(int, bind, (int a, constant *b, unsigned c), (a, b, c), -1, EADDRINUSE)
FAILS_ERRNO(int, dup2, (int a, int b), (a, b), -1, EBUSY)
FAILS_ERRNO(int, epoll_create1, (int a), (a), -1, EMFILE)
FAILS_ERRNO(int, epoll_wait, (int a, any *b, int c, int d), (a, b, c, d), -1, EINTR)
FAILS_ERRNO(int, eventfd, (unsigned a, int b), (a, b), -1, EMFILE)
FAILS_ERRNO(int, eventfd_read, (int a, any *b), (a, b), -1, EAGAIN)
FAILS_ERRNO(any *, fopen, (text *a, text *b), (a, b), NULL, EMFILE)
FAILS_ERRNO(int, fstat, (int a, any *b), (a, b), -1, EIO)
FAILS_ERRNO(int, fsync, (int a), (a), -1, EIO)
FAILS_ERRNO(int, getsockname, (int a, any *b, any *c), (a, b, c), -1, ENOBUFS)
FAILS_ERRNO(int, isatty, (int a), (a), 0, ENOTTY)
FAILS_ERRNO(int, kill, (int a, int b), (a, b), -1, ESRCH)
FAILS_ERRNO(int, link, (text *a, text *b), (a, b), -1, ENOSPC)
FAILS_ERRNO(int, listen, (int a, int b), (a, b), -1, EADDRINUSE)
FAILS_ERRNO(off_t, lseek, (int a, off_t b, int c), (a, b, c), -1, ESPIPE)
FAILS_ERRNO(int, memfd_create, (text *a, unsigned b), (a, b), -1, EMFILE)
FAILS_ERRNO(int, mkdir, (text *a, unsigned b), (a, b), -1, ENOSPC)
FAILS_ERRNO(int, pidfd_open, (int a, unsigned b), (a, b), -1, EMFILE)
FAILS_ERRNO(int, pipe2, (any *a, int b), (a, b), -1, EMFILE)
FAILS_ERRNO(int, poll, (any *a, unsigned long b, int c), (a, b, c), -1, ENOMEM)
FAILS_ERRNO(ssize_t, read, (int a, any *b, size_t c), (a, b, c), -1, EIO)
FAILS_ERRNO(char *, realpath, (text *a, char *b), (a, b), NULL, EACCES)
FAILS_ERRNO(ssize_t, recv, (int a, any *b, size_t c, int d), (a, b, c, d), -1, ECONNRESET)
FAILS_ERRNO(int, rename, (text *a, text *b), (a, b), -1, ENOSPC)
FAILS_ERRNO(ssize_t, send, (int a, constant *b, size_t c, int d), (a, b, c, d), -1, ECONNRESET)
FAILS_ERRNO(ssize_t, sendfile, (int a, int b, any *c, size_t d), (a, b, c, d), -1, ENOMEM)
FAILS_ERRNO(ssize_t, sendmsg, (int a, constant *b, int c), (a, b, c), -1, ECONNRESET)
FAILS_ERRNO(int, setrlimit, (unsigned a, constant *b), (a, b), -1, EPERM)
FAILS_ERRNO(int, setsockopt, (int a, int b, int c, constant *d, unsigned e), (a, b, c, d, e), -1,
            ENOMEM)
FAILS_ERRNO(int, shutdown, (int a, int b), (a, b), -1, ENOTCONN)
FAILS_ERRNO(int, socket, (int a, int b, int c), (a, b, c), -1, EMFILE)
FAILS_ERRNO(int, socketpair, (int a, int b, int c, any *d), (a, b, c, d), -1, EMFILE)
FAILS_ERRNO(int, stat, (text *a, any *b), (a, b), -1, EACCES)
FAILS_ERRNO(int, tcdrain, (int a), (a), -1, EIO)
FAILS_ERRNO(int, tcgetattr, (int a, any *b), (a, b), -1, EIO)
FAILS_ERRNO(int, tcsetattr, (int a, int b, constant *c), (a, b, c), -1, EIO)
FAILS_ERRNO(int, unlink, (text *a), (a), -1, EACCES)
FAILS_ERRNO(ssize_t, write, (int a, constant *b, size_t c), (a, b, c), -1, ENOSPC)

// Results that are codes themselves.
enum { name_needs_memory = -10 };
FAILS(int, getaddrinfo, (text *a, text *b, constant *c, any *d), (a, b, c, d), name_needs_memory)
FAILS(int, posix_spawnp, (any *a, text *b, constant *c, constant *d, any *e, any *f),
      (a, b, c, d, e, f), EAGAIN)
FAILS(int, posix_spawn_file_actions_init, (any *a), (a), ENOMEM)
FAILS(int, posix_spawn_file_actions_adddup2, (any *a, int b, int c), (a, b, c), ENOMEM)
FAILS(int, posix_spawn_file_actions_addclosefrom_np, (any *a, int b), (a, b), ENOMEM)
FAILS(int, posix_spawnattr_init, (any *a), (a), ENOMEM)
FAILS(int, pthread_create, (any *a, constant *b, any *(*c)(any *), any *d), (a, b, c, d), EAGAIN)
FAILS(char *, setlocale, (int a, text *b), (a, b), NULL)

FAILS_VARIADIC(int, open, text *, int, (errno = EMFILE, -1), EMFILE)
FAILS_VARIADIC(int, fcntl, int, int, (errno = EINVAL, -1), EINVAL)
FAILS_VARIADIC(int, ioctl, int, unsigned long, (errno = ENOTTY, -1), ENOTTY)

// Linux closes the descriptor even if it reports an error.
EXPORTED int close(int descriptor);
EXPORTED int close(int descriptor) {
    REAL(int (*)(int), "close");
    const int result = real(descriptor);
    if (result != 0 && errno == EBADF && descriptor >= 0) {
        closed_nothing(__builtin_return_address(0));
        errno = EBADF;
    }
    if (!IS_FAILING("close", EIO)) return result;
    errno = EIO;
    return -1;
}

// Only additions need memory.
enum { epoll_ctl_add = 1 };
EXPORTED int epoll_ctl(int poll, int operation, int descriptor, any *event);
EXPORTED int epoll_ctl(int poll, int operation, int descriptor, any *event) {
    if (operation == epoll_ctl_add && IS_FAILING("epoll_ctl", ENOMEM)) {
        errno = ENOMEM;
        return -1;
    }
    REAL(int (*)(int, int, int, any *), "epoll_ctl");
    return real(poll, operation, descriptor, event);
}

// As at the end of an interrupted wait; the child is waited for by the next call.
FAILS_ERRNO(int, waitpid, (int a, any *b, int c), (a, b, c), -1, EINTR)

// The real functions are those of LeakSanitizer if it is preloaded: its free(3) accepts only what
// they have allocated.
FAILS_ERRNO(any *, malloc, (size_t a), (a), NULL, ENOMEM)
FAILS_ERRNO(any *, calloc, (size_t a, size_t b), (a, b), NULL, ENOMEM)
FAILS_ERRNO(char *, strdup, (text *a), (a), NULL, ENOMEM)
