#ifndef HOGA_CNCURSES_H
#define HOGA_CNCURSES_H

#define NCURSES_WIDECHAR 1
// Functions instead of macros: Swift sees only functions.
#define NCURSES_NOMACROS 1
#include <curses.h>

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "TerminalRescue.h"

/// Opens the terminal on standard output and input; a shim because both streams are globals.
static inline SCREEN *hoga_screen_open(void) { return newterm(NULL, stdout, stdin); }

/// The window that covers the screen; a shim because it is a global.
static inline WINDOW *hoga_standard_window(void) { return stdscr; }

/// How many colours the terminal has; a shim because it is a global.
static inline int hoga_color_count(void) { return COLORS; }

/// How many colours the database says the environment's terminal has, -1 for one that it does not
/// know. Not while a screen is open.
int hoga_known_color_count(void);

/// The size in columns that ncurses believes in; a shim because it is a global.
static inline int hoga_columns(void) { return COLS; }

/// The size in rows that ncurses believes in; a shim because it is a global.
static inline int hoga_rows(void) { return LINES; }

/// Makes the next update repaint everything; a shim because the window is a global.
static inline void hoga_repaint(void) { (void)clearok(curscr, TRUE); }

/// A string capability, or NULL; a shim because "not a string" is the pointer -1.
static inline const char *hoga_capability(const char *name)
{
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? NULL : text;
}

/// The text that switches the mouse's reports on (1) or off (0), from the terminal's own text for
/// both; a shim because tparm's arguments vary.
static inline const char *hoga_mouse_text(const char *text, int is_on)
{
    return tparm((char *)text, is_on, 0, 0, 0, 0, 0, 0, 0, 0);
}

/// The text that puts the cursor at the beginning of a row, from the terminal's own text for it; a
/// shim because tparm's arguments vary.
static inline const char *hoga_row_text(const char *text, int row)
{
    return tparm((char *)text, row, 0, 0, 0, 0, 0, 0, 0, 0);
}

// wchar.h declares it for X/Open only, and a header comes too late to ask for that.
extern int wcwidth(wchar_t character);

/// One character cell as Swift hands it over.
typedef struct {
    /// The spacing character; 0 in the right half of a wide one, which is passed over.
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
/// The C library decides how wide ncurses thinks a character is: where it disagrees with the frame,
/// what is drawn is narrowed to a form of which it is sure, and filled up with a blank. Returns how
/// many of ncurses' cells were made: 1 or 2.
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
