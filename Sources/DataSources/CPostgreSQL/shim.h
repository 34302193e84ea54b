#ifndef HOGA_CPOSTGRESQL_SHIM_H
#define HOGA_CPOSTGRESQL_SHIM_H
#include <libpq-fe.h>
// The signal that ends a wait for sockets.
#include <sys/eventfd.h>
#endif
