#ifndef HOGA_CNCURSES_SHIM_H
#define HOGA_CNCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#endif
