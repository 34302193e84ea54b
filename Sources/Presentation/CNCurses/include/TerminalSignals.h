#ifndef HOGA_TERMINAL_SIGNALS_H
#define HOGA_TERMINAL_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

// Signal handling while the program uses the terminal. In C, because handlers may call only
// async-signal-safe functions, which Swift's runtime does not guarantee.
//
// One terminal per process: the state is global, as signal handlers are.

/// Events since the last call, as bits.
enum {
    HOGA_NOTICE_RESIZED = 1,
    HOGA_NOTICE_STOP = 2,
    HOGA_NOTICE_CONTINUED = 4,
};

/// Saves the terminal's modes and installs the signal handlers.
///
/// SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP and SIGINT are recorded as notices, and eight bytes
/// are written to `wake`. A second SIGTERM, SIGHUP or SIGINT, and every fatal signal, restores the
/// terminal and takes its former action; later writes to `output` are discarded, so that a frame
/// being drawn by another thread does not follow. Ignored signals stay ignored.
///
/// Returns 0, or -1 with errno if the modes cannot be read or no descriptor is free; EBUSY if
/// already armed.
int hoga_signals_arm(int input, int output, int wake);

/// Sets the reset sequence, at most 255 bytes, and reinstalls the handlers, because ncurses
/// installs its own when it opens a screen.
void hoga_signals_set_reset(const uint8_t *text, size_t length);

/// Restores the former signal actions; the terminal is unchanged.
void hoga_signals_disarm(void);

/// Whether the program may draw; false once a signal has restored the terminal.
int hoga_signals_is_armed(void);

/// Notices since the last call.
int hoga_signals_take_notices(void);

/// The signal that asked the program to end; 0 if none did.
int hoga_signals_ending_signal(void);

/// Stops the process as SIGTSTP does by default, and returns when it is continued.
///
/// With `is_group` the whole job stops, as a shell expects after Ctrl-Z. The terminal must already
/// be restored: until `hoga_signals_await_foreground` handlers do not restore it again, and
/// termination signals take their former action immediately.
void hoga_signals_stop(int is_group);

/// Waits until the job is in the foreground: in the background it stops, like any job that uses
/// the terminal, until the shell continues it.
///
/// Returns immediately without job control.
void hoga_signals_await_foreground(int terminal);

/// The number of readable bytes; -1 if unknown.
int hoga_signals_readable_bytes(int input);

#endif
