#ifndef HOGA_CHTTPPARSER_SHIM_H
#define HOGA_CHTTPPARSER_SHIM_H
#include <http_parser.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
/* Not in the module of the C library. */
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* The parser uses bit fields and callbacks; these functions fill in plain records instead. */

enum { hoga_http_fields_max = 100 };

/* A range of the parsed bytes. */
struct hoga_http_span {
    uint32_t start;
    uint32_t count;
};

/* The head of one request; spans are offsets into its bytes. */
struct hoga_http_head {
    http_parser parser;
    const char *bytes;
    struct hoga_http_span target;
    struct hoga_http_span names[hoga_http_fields_max];
    struct hoga_http_span values[hoga_http_fields_max];
    uint32_t field_count;
    bool has_value;
    /* Set for a folded field, too many fields, or a target in parts. */
    bool is_refused;
    bool is_head_complete;
    /* Whether the request has no body. */
    bool is_complete;
};

static inline struct hoga_http_span hoga_http_span_of(const struct hoga_http_head *head,
                                                      const char *at, size_t count) {
    struct hoga_http_span span = {(uint32_t)(at - head->bytes), (uint32_t)count};
    return span;
}

static inline int hoga_http_on_target(http_parser *parser, const char *at, size_t count) {
    struct hoga_http_head *head = (struct hoga_http_head *)parser->data;
    head->is_refused |= head->target.count > 0;
    head->target = hoga_http_span_of(head, at, count);
    return 0;
}

/* Whether a field's name is a token (RFC 9110, 5.6.2): the parser accepts a space before the
   colon, which can smuggle requests. */
static inline bool hoga_http_is_token(const char *at, size_t count) {
    for (size_t place = 0; place < count; place++) {
        unsigned char byte = (unsigned char)at[place];
        bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
        bool is_digit = byte >= '0' && byte <= '9';
        if (!is_letter && !is_digit && (byte == 0 || strchr("!#$%&'*+-.^_`|~", byte) == NULL)) {
            return false;
        }
    }
    return count > 0;
}

static inline int hoga_http_on_name(http_parser *parser, const char *at, size_t count) {
    struct hoga_http_head *head = (struct hoga_http_head *)parser->data;
    if (head->is_head_complete || head->field_count == hoga_http_fields_max ||
        !hoga_http_is_token(at, count)) {
        head->is_refused = true;
        return 0;
    }
    struct hoga_http_span none = {0, 0};
    head->names[head->field_count] = hoga_http_span_of(head, at, count);
    head->values[head->field_count] = none;
    head->field_count += 1;
    head->has_value = false;
    return 0;
}

/* Whether a field's value has no control characters but tabs (RFC 9110, 5.5): the parser accepts a
   zero byte and others at the start of the values that it reads itself, such as Upgrade. */
static inline bool hoga_http_is_value(const char *at, size_t count) {
    for (size_t place = 0; place < count; place++) {
        unsigned char byte = (unsigned char)at[place];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) return false;
    }
    return true;
}

static inline int hoga_http_on_value(http_parser *parser, const char *at, size_t count) {
    struct hoga_http_head *head = (struct hoga_http_head *)parser->data;
    if (head->field_count == 0 || head->has_value || !hoga_http_is_value(at, count)) {
        head->is_refused = true;
        return 0;
    }
    head->values[head->field_count - 1] = hoga_http_span_of(head, at, count);
    head->has_value = true;
    return 0;
}

static inline int hoga_http_on_head(http_parser *parser) {
    struct hoga_http_head *head = (struct hoga_http_head *)parser->data;
    head->is_head_complete = true;
    return 0;
}

static inline int hoga_http_on_end(http_parser *parser) {
    ((struct hoga_http_head *)parser->data)->is_complete = true;
    return 0;
}

/* Whether each line of a head ends with CRLF and none begins with a blank, which folds it into the
   line before. The parser accepts a single LF, and a fold behind an empty value. */
static inline bool hoga_http_has_valid_lines(const char *bytes, size_t count) {
    const char *end = bytes + count;
    const char *start = bytes;
    while (start < end) {
        const char *feed = memchr(start, '\n', (size_t)(end - start));
        if (*start == ' ' || *start == '\t' || feed == NULL || feed == start ||
            memchr(start, '\r', (size_t)(feed - start)) != feed - 1) {
            return false;
        }
        start = feed + 1;
    }
    return true;
}

/* Parses a complete head with its empty line; false if it is malformed. */
static inline bool hoga_http_read_head(struct hoga_http_head *head, const char *bytes,
                                       size_t count) {
    http_parser_settings settings;
    http_parser_settings_init(&settings);
    settings.on_url = hoga_http_on_target;
    settings.on_header_field = hoga_http_on_name;
    settings.on_header_value = hoga_http_on_value;
    settings.on_headers_complete = hoga_http_on_head;
    settings.on_message_complete = hoga_http_on_end;
    http_parser_init(&head->parser, HTTP_REQUEST);
    struct hoga_http_span none = {0, 0};
    head->parser.data = head;
    head->bytes = bytes;
    head->target = none;
    head->field_count = 0;
    head->has_value = head->is_refused = head->is_head_complete = false;
    head->is_complete = false;
    size_t taken = http_parser_execute(&head->parser, &settings, bytes, count);
    return taken == count && HTTP_PARSER_ERRNO(&head->parser) == HPE_OK &&
           head->is_head_complete && !head->is_refused && head->parser.http_major == 1;
}

/* Whether the only error of a head is an unknown method. */
static inline bool hoga_http_has_unknown_method(const struct hoga_http_head *head) {
    return HTTP_PARSER_ERRNO(&head->parser) == HPE_INVALID_METHOD;
}

/* The announced length of the body; UINT64_MAX without one. */
static inline uint64_t hoga_http_length(const struct hoga_http_head *head) {
    return head->parser.content_length;
}

static inline bool hoga_http_is_version_1_0(const struct hoga_http_head *head) {
    return head->parser.http_minor == 0;
}

static inline const char *hoga_http_status_text(int status) {
    return http_status_str((enum http_status)status);
}

/* Declared for GNU sources only. */
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

/* EPOLLET is the sign bit of an enum of ints. */
static inline uint32_t hoga_epoll_edges(void) {
    return (uint32_t)(EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}
#endif
