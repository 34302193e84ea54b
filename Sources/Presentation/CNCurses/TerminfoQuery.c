#include "CNCurses.h"

// Included only here, because its macros use common words.
#include <term.h>

int hoga_known_color_count(void)
{
    int error = 0;
    if (setupterm(NULL, 1, &error) != OK) return -1;
    const int count = tigetnum("colors");
    (void)del_curterm(cur_term);
    return count < 0 ? 0 : count;
}
