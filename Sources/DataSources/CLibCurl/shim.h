#ifndef HOGA_CLIBCURL_SHIM_H
#define HOGA_CLIBCURL_SHIM_H
#include <curl/curl.h>

/* The type of a function that takes the bytes of a body or of a header line. */
typedef size_t (*hoga_curl_sink)(char *bytes, size_t size, size_t count, void *context);

/* curl_easy_setopt is variadic, which Swift cannot call: one shim for each type of value. The
   parentheses keep curl's type-checking macro away, which wants to see the option literally. */

/* Sets an option that takes a long. */
static inline CURLcode hoga_curl_set_number(CURL *easy, CURLoption option, long value)
{
    return (curl_easy_setopt)(easy, option, value);
}

/* Sets an option that takes a curl_off_t. */
static inline CURLcode hoga_curl_set_size(CURL *easy, CURLoption option, curl_off_t value)
{
    return (curl_easy_setopt)(easy, option, value);
}

/* Sets an option that takes text, which curl copies. */
static inline CURLcode hoga_curl_set_text(CURL *easy, CURLoption option, const char *value)
{
    return (curl_easy_setopt)(easy, option, value);
}

/* Sets an option that takes a pointer, which curl keeps. */
static inline CURLcode hoga_curl_set_pointer(CURL *easy, CURLoption option, void *value)
{
    return (curl_easy_setopt)(easy, option, value);
}

/* Sets an option that takes a function for bytes that arrive. */
static inline CURLcode hoga_curl_set_sink(CURL *easy, CURLoption option, hoga_curl_sink value)
{
    return (curl_easy_setopt)(easy, option, value);
}

/* Sets an option that takes a block of memory, which curl reads later and does not copy. */
static inline CURLcode hoga_curl_set_blob(CURL *easy, CURLoption option, const void *bytes,
                                          size_t count)
{
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
    return (curl_easy_setopt)(easy, option, &blob);
}

/* Sets the function that opens sockets. */
static inline CURLcode hoga_curl_set_socket_opener(CURL *easy, curl_opensocket_callback value)
{
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/* The address that a socket is opened for: the structure goes on behind its declared member. */
static inline const struct sockaddr *hoga_curl_address(const struct curl_sockaddr *address)
{
    return &address->addr;
}

/* Reads a number about a transfer: curl_easy_getinfo is variadic. */
static inline CURLcode hoga_curl_get_number(CURL *easy, CURLINFO info, long *value)
{
    return (curl_easy_getinfo)(easy, info, value);
}

/* Reads the socket of a connection: curl_easy_getinfo is variadic. */
static inline CURLcode hoga_curl_get_socket(CURL *easy, curl_socket_t *value)
{
    return (curl_easy_getinfo)(easy, CURLINFO_ACTIVESOCKET, value);
}

/* The bundle of authorities that curl uses by default, or NULL: CURLVERSION_NOW is a macro. */
static inline const char *hoga_curl_default_bundle(void)
{
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

/* Sets an option of a multi handle that takes a long: curl_multi_setopt is variadic. */
static inline CURLMcode hoga_curl_multi_set_number(CURLM *multi, CURLMoption option, long value)
{
    return (curl_multi_setopt)(multi, option, value);
}
#endif
