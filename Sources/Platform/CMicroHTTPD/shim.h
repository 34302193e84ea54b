#ifndef HOGA_CMICROHTTPD_SHIM_H
#define HOGA_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif
