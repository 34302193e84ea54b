#include "TerminalSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { reset_max = 255 };

// Signals of bugs and core dumps: the terminal is restored first.
static const int fatal_signals[] = {
    SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSYS, SIGQUIT,
};
static const int notice_signals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sigaction former_fatal[COUNT(fatal_signals)];
static struct sigaction former_notice[COUNT(notice_signals)];

// Written before the handlers are installed, read by them.
static struct termios saved_modes;
static int input_descriptor = -1;
static int output_descriptor = -1;
// A second descriptor of the terminal, and one that discards what is written.
static int restoring_descriptor = -1;
static int discarding_descriptor = -1;
static uint8_t reset_text[reset_max];
static atomic_size_t reset_length;

static atomic_int wake_descriptor = -1;
static atomic_int notices;
static atomic_int ending_signal;
// Whether the terminal must be restored; the thread that clears the flag does it, once.
static atomic_int is_armed;
// Whether the program is stopped and the shell uses the terminal.
static atomic_int is_given_back;

static void wake_reader(int wake)
{
    const uint64_t one = 1;
    const int saved = errno;
    // Fails only if the counter is full, which ends the wait as well.
    const ssize_t written = write(wake, &one, sizeof one);
    (void)written;
    errno = saved;
}

static void write_all(int descriptor, const uint8_t *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

// Restores the terminal. Async-signal-safe.
static void restore(void)
{
    if (atomic_exchange(&is_armed, 0) == 0) return;
    if (atomic_load(&is_given_back) != 0) return;
    // In the background, setting modes would stop the process instead of ending it.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGTTOU, &ignore, NULL);
    // Another thread may be drawing: discard the rest of its frame.
    (void)dup2(discarding_descriptor, output_descriptor);
    write_all(restoring_descriptor, reset_text, atomic_load(&reset_length));
    (void)tcsetattr(input_descriptor, TCSANOW, &saved_modes);
}

// Restores a signal's former action and raises it again.
static void pass_on(int number, const siginfo_t *info, const struct sigaction *former)
{
    (void)sigaction(number, former, NULL);
    // A fault recurs with its address when the handler returns; a sent signal must be raised
    // again.
    if (info == NULL || info->si_code <= 0) (void)raise(number);
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
    (void)context;
    const int saved = errno;
    restore();
    for (size_t index = 0; index < COUNT(fatal_signals); index++) {
        if (fatal_signals[index] == number) pass_on(number, info, &former_fatal[index]);
    }
    errno = saved;
}

static void on_notice(int number, siginfo_t *info, void *context)
{
    (void)context;
    const int saved = errno;
    switch (number) {
    case SIGWINCH: atomic_fetch_or(&notices, HOGA_NOTICE_RESIZED); break;
    case SIGTSTP: atomic_fetch_or(&notices, HOGA_NOTICE_STOP); break;
    case SIGCONT: atomic_fetch_or(&notices, HOGA_NOTICE_CONTINUED); break;
    default:
        // Repeated, or sent while the program is stopped: end immediately.
        if (atomic_exchange(&ending_signal, number) != 0 || atomic_load(&is_given_back) != 0) {
            restore();
            for (size_t index = 0; index < COUNT(notice_signals); index++) {
                if (notice_signals[index] == number) pass_on(number, info, &former_notice[index]);
            }
        }
    }
    wake_reader(atomic_load(&wake_descriptor));
    errno = saved;
}

static int was_ignored(const struct sigaction *former)
{
    return (former->sa_flags & SA_SIGINFO) == 0 && former->sa_handler == SIG_IGN;
}

static void install(int is_first)
{
    struct sigaction fatal = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction notice = {.sa_sigaction = on_notice, .sa_flags = SA_SIGINFO | SA_RESTART};
    (void)sigfillset(&notice.sa_mask);
    for (size_t index = 0; index < COUNT(fatal_signals); index++) {
        (void)sigaction(fatal_signals[index], &fatal, is_first ? &former_fatal[index] : NULL);
    }
    for (size_t index = 0; index < COUNT(notice_signals); index++) {
        const int number = notice_signals[index];
        (void)sigaction(number, &notice, is_first ? &former_notice[index] : NULL);
        // Keep ignored signals ignored: nohup, shells without job control.
        if (was_ignored(&former_notice[index])) {
            (void)sigaction(number, &former_notice[index], NULL);
        }
    }
}

static void close_descriptors(void)
{
    if (restoring_descriptor >= 0) (void)close(restoring_descriptor);
    if (discarding_descriptor >= 0) (void)close(discarding_descriptor);
    restoring_descriptor = -1;
    discarding_descriptor = -1;
}

static int open_descriptors(int output)
{
    restoring_descriptor = fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    discarding_descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (restoring_descriptor >= 0 && discarding_descriptor >= 0) return 0;
    const int saved = errno;
    close_descriptors();
    errno = saved;
    return -1;
}

int hoga_signals_arm(int input, int output, int wake)
{
    static atomic_int is_exit_covered;
    if (atomic_load(&is_armed) != 0) {
        errno = EBUSY;
        return -1;
    }
    if (tcgetattr(input, &saved_modes) != 0 || open_descriptors(output) != 0) return -1;
    input_descriptor = input;
    output_descriptor = output;
    atomic_store(&reset_length, 0);
    atomic_store(&notices, 0);
    atomic_store(&ending_signal, 0);
    atomic_store(&wake_descriptor, wake);
    atomic_store(&is_armed, 1);
    // Other code may call exit(), or quick_exit() without memory.
    if (atomic_exchange(&is_exit_covered, 1) == 0) {
        (void)atexit(restore);
        (void)at_quick_exit(restore);
    }
    install(1);
    return 0;
}

void hoga_signals_set_reset(const uint8_t *text, size_t length)
{
    atomic_store(&reset_length, 0);
    if (length > reset_max) length = reset_max;
    memcpy(reset_text, text, length);
    atomic_store(&reset_length, length);
    install(0);
}

void hoga_signals_disarm(void)
{
    if (atomic_exchange(&is_armed, 0) == 0) return;
    for (size_t index = 0; index < COUNT(fatal_signals); index++) {
        (void)sigaction(fatal_signals[index], &former_fatal[index], NULL);
    }
    for (size_t index = 0; index < COUNT(notice_signals); index++) {
        (void)sigaction(notice_signals[index], &former_notice[index], NULL);
    }
    atomic_store(&wake_descriptor, -1);
    close_descriptors();
}

int hoga_signals_is_armed(void) { return atomic_load(&is_armed); }

int hoga_signals_take_notices(void) { return atomic_exchange(&notices, 0); }

int hoga_signals_ending_signal(void) { return atomic_load(&ending_signal); }

void hoga_signals_stop(int is_group)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct sigaction ours;
    sigset_t stop;
    sigset_t former;
    (void)sigaction(SIGTSTP, &ignore, &ours);
    // Without job control the process would never be continued.
    if (was_ignored(&ours)) return;
    atomic_store(&is_given_back, 1);
    // Stop the other processes of the job first; a stopped process cannot signal them.
    if (is_group) (void)kill(0, SIGTSTP);
    (void)sigaction(SIGTSTP, &by_default, NULL);
    // Pool threads block all signals.
    (void)sigemptyset(&stop);
    (void)sigaddset(&stop, SIGTSTP);
    (void)pthread_sigmask(SIG_UNBLOCK, &stop, &former);
    (void)raise(SIGTSTP);
    (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
    (void)sigaction(SIGTSTP, &ours, NULL);
}

void hoga_signals_await_foreground(int terminal)
{
    sigset_t background;
    sigset_t former;
    // Pool threads block SIGTTOU and would take the terminal from the shell.
    (void)sigemptyset(&background);
    (void)sigaddset(&background, SIGTTOU);
    (void)pthread_sigmask(SIG_UNBLOCK, &background, &former);
    // Sets unchanged modes: in the background this stops the job until it is in the foreground.
    while (tcdrain(terminal) != 0 && errno == EINTR) {
    }
    (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
    atomic_store(&is_given_back, 0);
}

int hoga_signals_readable_bytes(int input)
{
    int count = 0;
    return ioctl(input, FIONREAD, &count) == 0 ? count : -1;
}
