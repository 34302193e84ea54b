#ifndef HOGA_CSQLITE_SHIM_H
#define HOGA_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
