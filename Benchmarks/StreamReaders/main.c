// Reads many event streams of one hoga on one thread, and prints the delay of their events.
//
// usage: StreamReaders PORT SECONDS WARM-UP-SECONDS identity|gzip < paths
// Each line of its input is the path of one stream. Prints `name value` lines. Of compressed
// streams only every 16th is decompressed, so that the readers leave hoga its core. Times are wall-clock
// times, which are the exchange's if it is simulated on this machine.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { STREAMS_MAX = 8192, SAMPLES_MAX = 1 << 23, READ_MAX = 1 << 16, PATH_BYTES_MAX = 4096, GZIP_SHARE = 16 };

// The last event of each market in a stream, by the hash of its name.
struct seen {
    uint32_t name;
    int64_t price_at;
};

// One stream: its chunks are decoded, then its lines are parsed.
struct stream {
    int descriptor;
    int in_body;
    int64_t chunk_left;
    int size_digits;
    int64_t size;
    int after_chunk;
    char *line;
    size_t line_count, line_capacity;
    struct seen *seen;
    size_t seen_capacity;
    int header_matched;
    // Decompresses the body; NULL where it comes as it is, or is not looked at.
    z_stream *gzip;
    int is_ignored;
};

struct samples {
    int32_t *values;
    size_t count;
};

static struct samples tick_delays, patch_delays;
static uint64_t bytes_read, patches, snapshots, rows;
static int is_measuring;
static int64_t now_us;

static int64_t clock_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void add(struct samples *samples, int64_t value) {
    if (samples->values == NULL) samples->values = malloc(sizeof(int32_t) * SAMPLES_MAX);
    if (samples->count < SAMPLES_MAX) samples->values[samples->count++] = (int32_t)value;
}

static int compare(const void *left, const void *right) {
    int32_t one = *(const int32_t *)left, other = *(const int32_t *)right;
    return (one > other) - (one < other);
}

static void tell(const char *name, struct samples *samples) {
    if (samples->count == 0) {
        printf("%s_count 0\n", name);
        return;
    }
    qsort(samples->values, samples->count, sizeof(int32_t), compare);
    printf("%s_count %zu\n", name, samples->count);
    printf("%s_p50_ms %.1f\n", name, samples->values[samples->count / 2] / 1000.0);
    printf("%s_p99_ms %.1f\n", name, samples->values[samples->count * 99 / 100] / 1000.0);
    printf("%s_worst_ms %.1f\n", name, samples->values[samples->count - 1] / 1000.0);
}

static int number(const char *digits, int count) {
    int value = 0;
    for (int index = 0; index < count; index++) value = value * 10 + digits[index] - '0';
    return value;
}

// Microseconds since 1970 of `2026-11-20T21:03:11.200000+09:00`.
static int64_t time_us(const char *text) {
    int year = number(text, 4), month = number(text + 5, 2), day = number(text + 8, 2);
    // Days from a civil date, counting years from March.
    year -= month <= 2;
    int era_year = year % 400;
    int year_day = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = (int64_t)(year / 400) * 146097 + era_year * 365 + era_year / 4
        - era_year / 100 + year_day - 719468;
    int64_t seconds = days * 86400 + number(text + 11, 2) * 3600 + number(text + 14, 2) * 60
        + number(text + 17, 2) - 9 * 3600;
    return seconds * 1000000 + number(text + 20, 6);
}

static uint32_t hash(const char *text, const char *end) {
    uint32_t value = 2166136261u;
    for (; text < end; text++) value = (value ^ (uint8_t)*text) * 16777619u;
    return value == 0 ? 1 : value;
}

static struct seen *find(struct stream *stream, uint32_t name) {
    size_t place = name & (stream->seen_capacity - 1);
    while (stream->seen[place].name != 0 && stream->seen[place].name != name)
        place = (place + 1) & (stream->seen_capacity - 1);
    return &stream->seen[place];
}

// Reads every row of an event, and measures the age of each new trade.
static void look_at_rows(struct stream *stream, char *line, int is_patch) {
    char *at = line;
    while ((at = strstr(at, "{\"market\":\"")) != NULL) {
        char *name = at + 11, *end = strchr(name, '"');
        char *price = strstr(at, "\"priceAt\":");
        if (end == NULL || price == NULL) return;
        at = price + 10;
        if (*at != '"') continue;
        int64_t time = time_us(at + 1);
        struct seen *seen = find(stream, hash(name, end));
        if (is_patch && is_measuring && seen->name != 0 && time > seen->price_at)
            add(&tick_delays, now_us - time);
        seen->name = hash(name, end);
        seen->price_at = time;
        rows += is_patch && is_measuring;
    }
}

static void take_line(struct stream *stream) {
    stream->line[stream->line_count] = 0;
    char *line = stream->line;
    if (strncmp(line, "data: {\"schema\"", 15) == 0) {
        snapshots++;
        look_at_rows(stream, line, 0);
    } else if (strncmp(line, "data: {\"asOf\":\"", 15) == 0) {
        if (is_measuring) {
            patches++;
            add(&patch_delays, now_us - time_us(line + 15));
        }
        look_at_rows(stream, line, 1);
    }
    stream->line_count = 0;
}

static void take_payload(struct stream *stream, const char *bytes, size_t count) {
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        size_t piece = end != NULL ? (size_t)(end - bytes) : count;
        if (stream->line_count + piece + 1 > stream->line_capacity) {
            stream->line_capacity = (stream->line_count + piece + 1) * 2;
            stream->line = realloc(stream->line, stream->line_capacity);
        }
        memcpy(stream->line + stream->line_count, bytes, piece);
        stream->line_count += piece;
        if (end == NULL) return;
        take_line(stream);
        bytes += piece + 1;
        count -= piece + 1;
    }
}

// Decompresses a part of a body; a broken one ends the run.
static void take_compressed(struct stream *stream, const char *bytes, size_t count) {
    static char text[READ_MAX];
    if (stream->is_ignored) return;
    if (stream->gzip == NULL) {
        take_payload(stream, bytes, count);
        return;
    }
    stream->gzip->next_in = (Bytef *)bytes;
    stream->gzip->avail_in = (uInt)count;
    do {
        stream->gzip->next_out = (Bytef *)text;
        stream->gzip->avail_out = sizeof text;
        int status = inflate(stream->gzip, Z_SYNC_FLUSH);
        if (status != Z_OK && status != Z_BUF_ERROR) {
            fprintf(stderr, "inflate: %d\n", status);
            exit(1);
        }
        take_payload(stream, text, sizeof text - stream->gzip->avail_out);
    } while (stream->gzip->avail_out == 0);
}

static int digit(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

// Decodes HTTP/1.1 chunks.
static void take(struct stream *stream, const char *bytes, size_t count) {
    static const char end_of_header[] = "\r\n\r\n";
    while (count > 0) {
        if (!stream->in_body) {
            stream->header_matched = *bytes == end_of_header[stream->header_matched]
                ? stream->header_matched + 1 : *bytes == '\r';
            stream->in_body = stream->header_matched == 4;
            bytes++, count--;
        } else if (stream->chunk_left > 0) {
            size_t piece = count < (size_t)stream->chunk_left ? count : (size_t)stream->chunk_left;
            take_compressed(stream, bytes, piece);
            stream->chunk_left -= (int64_t)piece;
            bytes += piece, count -= piece;
        } else {
            // The size line of a chunk.
            int value = digit(*bytes);
            if (value >= 0) {
                stream->size = stream->size * 16 + value;
                stream->size_digits++;
            } else if (*bytes == '\n' && stream->size_digits > 0) {
                stream->chunk_left = stream->size;
                stream->size = stream->size_digits = 0;
            }
            bytes++, count--;
        }
    }
}

static void begin(struct stream *stream, int port, const char *path, int is_gzip) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    stream->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (stream->descriptor < 0) fail("socket");
    if (connect(stream->descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    char request[PATH_BYTES_MAX + 128];
    int count = snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
        "Accept-Encoding: %s\r\n\r\n", path, is_gzip ? "gzip" : "identity");
    if (write(stream->descriptor, request, (size_t)count) != count) fail("write");
    fcntl(stream->descriptor, F_SETFL, O_NONBLOCK);
    stream->seen_capacity = 2048;
    stream->seen = calloc(stream->seen_capacity, sizeof *stream->seen);
}

static size_t begin_all(struct stream *streams, int port, int poll, int is_gzip) {
    static char path[PATH_BYTES_MAX];
    size_t count = 0;
    while (count < STREAMS_MAX && fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = 0;
        begin(&streams[count], port, path, is_gzip);
        if (is_gzip && count % GZIP_SHARE != 0) streams[count].is_ignored = 1;
        else if (is_gzip) {
            streams[count].gzip = calloc(1, sizeof(z_stream));
            if (inflateInit2(streams[count].gzip, 16 + MAX_WBITS) != Z_OK) fail("inflateInit2");
        }
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = count};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, streams[count].descriptor, &event) != 0)
            fail("epoll_ctl");
        count++;
    }
    return count;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr,
            "usage: StreamReaders PORT SECONDS WARM-UP-SECONDS identity|gzip < paths\n");
        return 64;
    }
    int is_gzip = strcmp(words[4], "gzip") == 0;
    static struct stream streams[STREAMS_MAX];
    static char buffer[READ_MAX];
    int poll = epoll_create1(EPOLL_CLOEXEC);
    size_t stream_count = begin_all(streams, atoi(words[1]), poll, is_gzip);
    int64_t start = clock_us() + (int64_t)(atof(words[3]) * 1e6);
    int64_t end = start + (int64_t)(atof(words[2]) * 1e6);
    size_t ended = 0;
    while ((now_us = clock_us()) < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 50);
        for (int index = 0; index < ready; index++) {
            struct stream *stream = &streams[events[index].data.u64];
            ssize_t received = read(stream->descriptor, buffer, sizeof buffer);
            now_us = clock_us();
            is_measuring = now_us >= start;
            if (received > 0) {
                if (is_measuring) bytes_read += (uint64_t)received;
                take(stream, buffer, (size_t)received);
            } else if (received == 0 || errno != EAGAIN) {
                close(stream->descriptor);
                ended++;
            }
        }
    }
    printf("streams %zu\nended %zu\nsnapshots %llu\npatches %llu\nrows %llu\nbytes %llu\n",
        stream_count, ended, (unsigned long long)snapshots, (unsigned long long)patches,
        (unsigned long long)rows, (unsigned long long)bytes_read);
    tell("tick_delay", &tick_delays);
    tell("patch_delay", &patch_delays);
    size_t read_count = is_gzip ? (stream_count + GZIP_SHARE - 1) / GZIP_SHARE : stream_count;
    return ended == 0 && snapshots >= read_count ? 0 : 1;
}
