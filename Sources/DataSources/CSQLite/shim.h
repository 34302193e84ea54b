#ifndef HOGA_CSQLITE_SHIM_H
#define HOGA_CSQLITE_SHIM_H
#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>

/* Binds text of a length, zero bytes included: SQLITE_TRANSIENT, which makes SQLite copy it, is a
   cast that Swift does not see, and an empty text may come without an address. */
static inline int hoga_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                        uint64_t count)
{
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT,
                               SQLITE_UTF8);
}

/* Steps, and tells the system's number behind a failure: SQLite itself keeps it for its own later
   question except where a commit fails, which is where disks are full. */
static inline int hoga_sqlite_step(sqlite3_stmt *statement, int *system_number)
{
    errno = 0;
    int code = sqlite3_step(statement);
    int last = errno;
    *system_number = last != 0 ? last : sqlite3_system_errno(sqlite3_db_handle(statement));
    return code;
}

/* How long one wait for a lock lasts. SQLite's own waits grow to 100 ms, which lets a busy writer
   starve all others: the lock is free for far less than that between two of its changes. */
enum { hoga_sqlite_wait_milliseconds = 2 };

/* Switches a setting of a connection on or off: sqlite3_db_config is variadic. */
static inline int hoga_sqlite_configure(sqlite3 *connection, int setting, int is_on)
{
    return sqlite3_db_config(connection, setting, is_on, (int *)0);
}

/* Whether the file of a connection was moved, replaced or removed since it was opened. */
static inline int hoga_sqlite_has_moved(sqlite3 *connection)
{
    int has_moved = 0;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    return code == SQLITE_OK && has_moved;
}
#endif
