#ifndef HOGA_CPOSTGRESQL_SHIM_H
#define HOGA_CPOSTGRESQL_SHIM_H
#include <libpq-fe.h>
#endif
