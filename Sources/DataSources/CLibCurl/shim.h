#ifndef HOGA_CLIBCURL_SHIM_H
#define HOGA_CLIBCURL_SHIM_H
#include <curl/curl.h>
#endif
