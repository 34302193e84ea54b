// libcurl, wslay, SQLite, libpq, libcrypto, libdeflate, zlib and ncurses.

// libcurl: curl/curl.h, curl/multi.h and curl/urlapi.h.
enum {
    curle_failed_init = 2, curle_out_of_memory = 27, curle_unknown_option = 48,
    curle_send_error = 55, curle_recv_error = 56,
    curlm_out_of_memory = 3, curlm_internal_error = 4,
    curlue_out_of_memory = 7
};
FAILS(int, curl_global_init, (long a), (a), curle_failed_init)
FAILS(any *, curl_easy_init, (void), (), NULL)
FAILS(int, curl_easy_pause, (any *a, int b), (a, b), curle_out_of_memory)
FAILS(int, curl_easy_recv, (any *a, any *b, size_t c, any *d), (a, b, c, d), curle_recv_error)
FAILS(int, curl_easy_send, (any *a, constant *b, size_t c, any *d), (a, b, c, d),
      curle_send_error)
FAILS_VARIADIC(int, curl_easy_setopt, any *, int, curle_out_of_memory, curle_out_of_memory)
FAILS_VARIADIC(int, curl_easy_getinfo, any *, int, curle_unknown_option, curle_unknown_option)
FAILS(any *, curl_multi_init, (void), (), NULL)
FAILS(int, curl_multi_add_handle, (any *a, any *b), (a, b), curlm_out_of_memory)
FAILS(int, curl_multi_perform, (any *a, any *b), (a, b), curlm_internal_error)
FAILS(int, curl_multi_poll, (any *a, any *b, unsigned c, int d, any *e), (a, b, c, d, e),
      curlm_out_of_memory)
FAILS_VARIADIC(int, curl_multi_setopt, any *, int, curlm_out_of_memory, curlm_out_of_memory)
FAILS(any *, curl_slist_append, (any *a, text *b), (a, b), NULL)
FAILS(any *, curl_url, (void), (), NULL)
FAILS(int, curl_url_set, (any *a, int b, text *c, unsigned d), (a, b, c, d), curlue_out_of_memory)
FAILS(int, curl_url_get, (constant *a, int b, any *c, unsigned d), (a, b, c, d),
      curlue_out_of_memory)

// wslay: wslay/wslay.h.
enum { wslay_err_proto = -200, wslay_err_nomem = -500 };
FAILS(int, wslay_frame_context_init, (any *a, constant *b, any *c), (a, b, c), wslay_err_nomem)
FAILS(ssize_t, wslay_frame_recv, (any *a, any *b), (a, b), wslay_err_proto)

// SQLite: sqlite3.h. The code is also what sqlite3_extended_errcode returns after the failure.
enum { sqlite_nomem = 7, sqlite_ioerr = 10 };
static _Thread_local int sqlite_code;
#define FAILS_SQLITE(name, parameters, arguments, value)            \
    EXPORTED int name parameters;                                   \
    EXPORTED int name parameters {                                  \
        sqlite_code = 0;                                            \
        if (IS_FAILING(#name, value)) return sqlite_code = value;   \
        REAL(int(*) parameters, #name);                             \
        return real arguments;                                      \
    }
FAILS_SQLITE(sqlite3_prepare_v3, (any *a, text *b, int c, unsigned d, any **e, any *f),
             (a, b, c, d, e, f), sqlite_nomem)
FAILS_SQLITE(sqlite3_step, (any *a), (a), sqlite_ioerr)
FAILS_SQLITE(sqlite3_exec, (any *a, text *b, any *c, any *d, any *e), (a, b, c, d, e),
             sqlite_ioerr)
FAILS_SQLITE(sqlite3_bind_int64, (any *a, int b, int64_t c), (a, b, c), sqlite_nomem)
FAILS_SQLITE(sqlite3_bind_null, (any *a, int b), (a, b), sqlite_nomem)
FAILS_SQLITE(sqlite3_bind_text64, (any *a, int b, text *c, uint64_t d, any *e, unsigned char f),
             (a, b, c, d, e, f), sqlite_nomem)
FAILS_SQLITE(sqlite3_busy_handler, (any *a, any *b, any *c), (a, b, c), sqlite_nomem)
FAILS_SQLITE(sqlite3_backup_step, (any *a, int b), (a, b), sqlite_ioerr)
FAILS_SQLITE(sqlite3_file_control, (any *a, text *b, int c, any *d), (a, b, c, d), sqlite_ioerr)
FAILS(any *, sqlite3_backup_init, (any *a, text *b, any *c, text *d), (a, b, c, d), NULL)
FAILS(constant *, sqlite3_column_text, (any *a, int b), (a, b), NULL)

// SQLite has no handle without memory for one.
EXPORTED int sqlite3_open_v2(text *path, any **handle, int flags, text *system);
EXPORTED int sqlite3_open_v2(text *path, any **handle, int flags, text *system) {
    if (IS_FAILING("sqlite3_open_v2", sqlite_nomem)) return (*handle = NULL, sqlite_nomem);
    REAL(int (*)(text *, any **, int, text *), "sqlite3_open_v2");
    return real(path, handle, flags, system);
}

#define TELLS_SQLITE_CODE(name)                                     \
    EXPORTED int name(any *handle);                                 \
    EXPORTED int name(any *handle) {                                \
        if (sqlite_code != 0) return sqlite_code;                   \
        REAL(int (*)(any *), #name);                                \
        return real(handle);                                        \
    }
TELLS_SQLITE_CODE(sqlite3_errcode)
TELLS_SQLITE_CODE(sqlite3_extended_errcode)

// libpq: libpq-fe.h.
FAILS(any *, PQconnectStartParams, (any *a, any *b, int c), (a, b, c), NULL)
FAILS(int, PQconnectPoll, (any *a), (a), 0)
FAILS(int, PQconsumeInput, (any *a), (a), 0)
FAILS(int, PQenterPipelineMode, (any *a), (a), 0)
FAILS(int, PQexitPipelineMode, (any *a), (a), 0)
FAILS(int, PQflush, (any *a), (a), -1)
FAILS(int, PQpipelineSync, (any *a), (a), 0)
FAILS(int, PQputCopyEnd, (any *a, text *b), (a, b), -1)
FAILS(int, PQsendQuery, (any *a, text *b), (a, b), 0)
FAILS(int, PQsendQueryParams,
      (any *a, text *b, int c, any *d, any *e, any *f, any *g, int h), (a, b, c, d, e, f, g, h), 0)
FAILS(int, PQsetnonblocking, (any *a, int b), (a, b), -1)
FAILS(any *, PQconninfoParse, (text *a, any *b), (a, b), NULL)
FAILS(any *, PQconndefaults, (void), (), NULL)
FAILS(any *, PQgetCancel, (any *a), (a), NULL)
FAILS(int, PQcancel, (any *a, char *b, int c), (a, b, c), 0)

// Without memory for a result libpq reads it all the same, and returns an error in its place.
enum { fatal_error = 7 };
extern any *PQmakeEmptyPGresult(any *connection, int status) __attribute__((weak));
extern any PQclear(any *result) __attribute__((weak));
EXPORTED any *PQgetResult(any *connection);
EXPORTED any *PQgetResult(any *connection) {
    REAL(any *(*)(any *), "PQgetResult");
    any *result = real(connection);
    if (result == NULL || !IS_FAILING("PQgetResult", fatal_error)) return result;
    PQclear(result);
    return PQmakeEmptyPGresult(connection, fatal_error);
}

// libcrypto: openssl/evp.h and openssl/rand.h.
FAILS(int, RAND_bytes, (any *a, int b), (a, b), 0)
FAILS(int, EVP_Digest, (constant *a, size_t b, any *c, any *d, constant *e, any *f),
      (a, b, c, d, e, f), 0)
FAILS(any *, EVP_CIPHER_CTX_new, (void), (), NULL)
FAILS(int, EVP_CIPHER_CTX_ctrl, (any *a, int b, int c, any *d), (a, b, c, d), 0)
FAILS(int, EVP_CipherInit_ex, (any *a, any *b, any *c, any *d, any *e, int f), (a, b, c, d, e, f),
      0)
FAILS(int, EVP_CipherUpdate, (any *a, any *b, any *c, any *d, int e), (a, b, c, d, e), 0)
FAILS(int, EVP_CipherFinal_ex, (any *a, any *b, any *c), (a, b, c), 0)
FAILS(any *, HMAC, (any *a, any *b, int c, any *d, size_t e, any *f, any *g),
      (a, b, c, d, e, f, g), NULL)

// libdeflate and zlib.
enum { libdeflate_bad_data = 1, z_mem_error = -4 };
FAILS(any *, libdeflate_alloc_compressor, (int a), (a), NULL)
FAILS(any *, libdeflate_alloc_decompressor, (void), (), NULL)
FAILS(int, libdeflate_gzip_decompress, (any *a, any *b, size_t c, any *d, size_t e, any *f),
      (a, b, c, d, e, f), libdeflate_bad_data)
FAILS(int, deflateInit2_, (any *a, int b, int c, int d, int e, int f, text *g, int h),
      (a, b, c, d, e, f, g, h), z_mem_error)
FAILS(int, inflateInit2_, (any *a, int b, text *c, int d), (a, b, c, d), z_mem_error)
FAILS(int, inflate, (any *a, int b), (a, b), z_mem_error)

// ncurses: ERR is -1.
FAILS(any *, newterm, (text *a, any *b, any *c), (a, b, c), NULL)
FAILS(any *, newpad, (int a, int b), (a, b), NULL)
FAILS(int, setupterm, (text *a, int b, any *c), (a, b, c), -1)
FAILS(int, start_color, (void), (), -1)
FAILS(int, use_default_colors, (void), (), -1)
FAILS(int, init_extended_pair, (int a, int b, int c), (a, b, c), -1)
FAILS(int, define_key, (text *a, int b), (a, b), -1)
FAILS(int, raw, (void), (), -1)
FAILS(int, noecho, (void), (), -1)
FAILS(int, nonl, (void), (), -1)
FAILS(int, doupdate, (void), (), -1)
FAILS(int, endwin, (void), (), -1)
FAILS(int, reset_prog_mode, (void), (), -1)
FAILS(int, resizeterm, (int a, int b), (a, b), -1)
FAILS(int, setcchar, (any *a, any *b, unsigned c, short d, any *e), (a, b, c, d, e), -1)
FAILS(int, wgetch, (any *a), (a), -1)
FAILS(int, wnoutrefresh, (any *a), (a), -1)
FAILS(int, mvwadd_wchnstr, (any *a, int b, int c, any *d, int e), (a, b, c, d, e), -1)
