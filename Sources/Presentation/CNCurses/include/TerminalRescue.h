#ifndef HOGA_TERMINAL_RESCUE_H
#define HOGA_TERMINAL_RESCUE_H

#include <stddef.h>
#include <stdint.h>

// What signals do while a program has the terminal. In C, because a signal handler may use next to
// nothing, and what Swift's runtime does behind a line of code cannot be seen in that line.
//
// One terminal per process: the state is global, as signal handlers are.

/// What has happened since it was last asked; bits.
enum {
    HOGA_NOTICE_RESIZED = 1,
    HOGA_NOTICE_STOP = 2,
    HOGA_NOTICE_CONTINUED = 4,
};

/// Saves the terminal's modes and takes over the signals.
///
/// SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP and SIGINT become notices: they are noted, and eight
/// bytes are written to `wake`. A second SIGTERM, SIGHUP or SIGINT, and every fatal signal, gives
/// the terminal back and takes its former course. What was ignored stays ignored.
///
/// Returns 0; -1 with errno if the modes cannot be read, or EBUSY if it is armed already.
int hoga_rescue_arm(int input, int output, int wake);

/// Sets what is written to give the terminal back, at most 255 bytes, and takes the signals anew,
/// because ncurses takes some of them when it opens a screen.
void hoga_rescue_set_reset(const uint8_t *text, size_t length);

/// Gives the signals their former meaning; the terminal is left as it is.
void hoga_rescue_disarm(void);

/// Whether the terminal is still ours to draw on: no longer once a signal has given it back.
int hoga_rescue_is_armed(void);

/// Notices since the last call.
int hoga_rescue_take_notices(void);

/// The signal that asked the program to end; 0 if none did.
int hoga_rescue_ending_signal(void);

/// Stops the process as SIGTSTP does by default, and returns when it is continued.
///
/// With `is_group` the whole job stops, as a shell expects of a key. The terminal must have been
/// given back: until `hoga_rescue_await_foreground` nothing is restored, and what asks the program
/// to end takes its former course at once.
void hoga_rescue_stop(int is_group);

/// Returns when the terminal is this job's: in the background, it stops as jobs do that would use
/// the terminal, until a shell continues it in the foreground.
///
/// Where no shell could, it returns at once.
void hoga_rescue_await_foreground(int terminal);

/// How many bytes wait to be read; -1 if that cannot be told.
int hoga_rescue_readable_bytes(int input);

#endif
