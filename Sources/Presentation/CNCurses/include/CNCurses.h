#ifndef HOGA_CNCURSES_H
#define HOGA_CNCURSES_H

#define NCURSES_WIDECHAR 1
// Functions instead of macros: Swift sees only functions.
#define NCURSES_NOMACROS 1
#include <curses.h>

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "TerminalSignals.h"

/// Opens the terminal on standard output and input; a shim because both streams are globals.
///
/// The terminal is of the given type, or of the type that TERM names if it is NULL.
static inline SCREEN *hoga_screen_open(const char *type)
{
    return newterm((char *)type, stdout, stdin);
}

/// Opens the terminal as hoga_screen_open does, with 24-bit colors that its description lacks.
///
/// Returns NULL if the terminal has no colors, or has 24-bit colors already.
SCREEN *hoga_direct_screen_open(const char *type);

/// Whether the description of a type, or of the environment's terminal for NULL, says that it shows
/// 24-bit colors: RGB of ncurses or Tc of tmux. Not callable while a screen is open.
int hoga_states_direct_color(const char *type);

/// Whether TERM names a terminal, known or not.
int hoga_names_terminal(void);

/// The window that covers the screen; a shim because it is a global.
static inline WINDOW *hoga_standard_window(void) { return stdscr; }

/// The number of colors; a shim because it is a global.
static inline int hoga_color_count(void) { return COLORS; }

/// The colors of a type of terminal, or of the environment's terminal for NULL, in the terminfo
/// database; -1 if the terminal is unknown. Not callable while a screen is open.
int hoga_known_color_count(const char *type);

/// The columns according to ncurses; a shim because it is a global.
static inline int hoga_columns(void) { return COLS; }

/// The rows according to ncurses; a shim because it is a global.
static inline int hoga_rows(void) { return LINES; }

/// Makes the next update repaint everything; a shim because the window is a global.
static inline void hoga_repaint(void) { (void)clearok(curscr, TRUE); }

/// A string capability, or NULL; a shim because "not a string" is the pointer -1.
static inline const char *hoga_capability(const char *name)
{
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? NULL : text;
}

/// The sequence that enables (1) or disables (0) mouse reports, from the `XM` capability; a shim
/// because tparm is variadic.
static inline const char *hoga_mouse_text(const char *text, int is_on)
{
    return tparm((char *)text, is_on, 0, 0, 0, 0, 0, 0, 0, 0);
}

/// The sequence that moves the cursor to the start of a row, from the `cup` capability; a shim
/// because tparm is variadic.
static inline const char *hoga_row_text(const char *text, int row)
{
    return tparm((char *)text, row, 0, 0, 0, 0, 0, 0, 0, 0);
}

// wchar.h declares it only with _XOPEN_SOURCE, which a header cannot define in time.
extern int wcwidth(wchar_t character);

/// One character cell, passed from Swift.
typedef struct {
    /// The spacing character; 0 in the right half of a wide one, which is skipped.
    uint32_t base;
    /// Marks over it; 0 if there is none.
    uint32_t first_mark;
    uint32_t second_mark;
    /// Bits of ncurses.
    uint32_t attributes;
    int16_t pair;
    /// 1 or 2; 0 in the right half.
    uint8_t columns;
} hoga_cell;

/// Makes ncurses' form of a cell; a shim because wide cells are built in a C array.
///
/// ncurses uses the C library's character widths. If they differ from the frame's, the base
/// character alone or `?` is drawn and padded with a blank. Returns the number of cells: 1 or 2.
static inline int hoga_make_cells(const hoga_cell *cell, cchar_t *made)
{
    wchar_t text[4] = {(wchar_t)cell->base, (wchar_t)cell->first_mark, (wchar_t)cell->second_mark};
    const int width = wcwidth(text[0]);
    if (width != cell->columns) {
        if (width != 1) text[0] = L'?';
        text[1] = 0;
    }
    (void)setcchar(&made[0], text, cell->attributes, cell->pair, NULL);
    if (width == cell->columns || cell->columns != 2) return 1;
    (void)setcchar(&made[1], L" ", cell->attributes, cell->pair, NULL);
    return 2;
}

/// Writes a run of cells into the screen's window; a shim because wide cells are a C array.
static inline void hoga_put_cells(int row, int column, const hoga_cell *cells, int count)
{
    enum { chunk = 256 };
    cchar_t made[chunk + 1];
    int filled = 0;
    int at = column;
    for (int index = 0; index < count; index++) {
        if (cells[index].columns == 0) continue;
        filled += hoga_make_cells(&cells[index], &made[filled]);
        const int end = column + index + cells[index].columns;
        if (filled >= chunk - 1) {
            (void)mvwadd_wchnstr(stdscr, row, at, made, filled);
            filled = 0;
            at = end;
        }
    }
    if (filled > 0) (void)mvwadd_wchnstr(stdscr, row, at, made, filled);
}

#endif
