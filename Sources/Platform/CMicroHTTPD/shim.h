#ifndef HOGA_CMICROHTTPD_SHIM_H
#define HOGA_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
/* Not in the module of the C library. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* What a daemon is started with; every field is passed on as the option of the same meaning. */
struct hoga_http_options {
    MHD_socket listen_socket;
    unsigned int threads;
    unsigned int connections_max;
    unsigned int connections_per_client_max;
    unsigned int idle_timeout_seconds;
    size_t connection_memory_bytes;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    void *context;
};

/* Leaves escapes as they are: the decoder of the library would cut a text at %00. */
static inline size_t hoga_http_keep_escapes(void *context, struct MHD_Connection *connection,
                                            char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* MHD_start_daemon is variadic, and its flags are enum constants. */
static inline struct MHD_Daemon *hoga_http_start(const struct hoga_http_options *options) {
    /* Both options have the same argument size; a pool of one is refused by the library. */
    enum MHD_OPTION last = options->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_UPGRADE |
            MHD_ALLOW_SUSPEND_RESUME,
        0, NULL, NULL, options->handle, options->context,
        MHD_OPTION_LISTEN_SOCKET, options->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, options->connections_max,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, options->connections_per_client_max,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory_bytes,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, hoga_http_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
        MHD_OPTION_NOTIFY_CONNECTION, options->connection_changed, options->context,
        last, options->threads,
        MHD_OPTION_END);
}

/* MHD_get_connection_info is variadic; NULL if the client's address is unknown. */
static inline const struct sockaddr *hoga_http_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/* MHD_get_connection_info is variadic; -1 if there is no socket. */
static inline MHD_socket hoga_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? MHD_INVALID_SOCKET : info->connect_fd;
}

/* MHD_get_connection_info is variadic; what connection_changed stored when the connection began. */
static inline void *hoga_http_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/* MHD_get_connection_info is variadic; 0 before the header is complete. */
static inline size_t hoga_http_header_bytes(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/* MHD_upgrade_action is variadic. */
static inline void hoga_http_upgrade_close(struct MHD_UpgradeResponseHandle *handle) {
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/* MHD_SIZE_UNKNOWN is a macro with a cast. */
static inline struct MHD_Response *hoga_http_stream(size_t block_bytes,
                                                    MHD_ContentReaderCallback reader,
                                                    void *context,
                                                    MHD_ContentReaderFreeCallback release) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block_bytes, reader, context,
                                             release);
}

/* Declared for GNU sources only; the value is the kernel's. */
static inline short hoga_poll_departure(void) {
#ifdef POLLRDHUP
    return POLLRDHUP;
#else
    return 0x2000;
#endif
}

/* MHD_set_response_options is variadic. */
static inline enum MHD_Result hoga_http_leave_out_chunks(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* What a reader returns at the end of its stream; a macro with a cast. */
static inline ssize_t hoga_http_reader_end(void) {
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* What a reader returns to have the connection closed; a macro with a cast. */
static inline ssize_t hoga_http_reader_error(void) {
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* The reason is an enum constant whose name is not imported. */
static inline bool hoga_http_is_whole(enum MHD_RequestTerminationCode reason) {
    return reason == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}

/* The kinds are enum constants; MHD_get_connection_values_n takes a mask of them. */
static inline int hoga_http_headers(struct MHD_Connection *connection,
                                    MHD_KeyValueIteratorN iterator, void *context) {
    return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}

/* As hoga_http_headers, for the query of the request target. */
static inline int hoga_http_query(struct MHD_Connection *connection,
                                  MHD_KeyValueIteratorN iterator, void *context) {
    return MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, iterator, context);
}

/* The C library's tcp_info ends before this field, which the kernel has had since 4.1. */
static inline uint64_t hoga_tcp_bytes_received(int descriptor) {
    uint64_t words[17];
    socklen_t length = sizeof words;
    /* 8 bytes of small fields, 24 words of 32 bits, and three of 64 bits precede it. */
    int result = getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, words, &length);
    return result == 0 && length == sizeof words ? words[16] : 0;
}
#endif
