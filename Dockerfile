# An image of hoga, built from the checkout, that runs as an unprivileged user.
#
#   docker build --build-arg HOGA_COMMIT="$(git describe --always --abbrev=12 --dirty=+changes)" \
#       --tag hoga .

FROM swift:6.3-bookworm AS build
WORKDIR /hoga
COPY scripts/bootstrap scripts/bootstrap
RUN scripts/bootstrap build
COPY . .
ARG HOGA_COMMIT=unknown
RUN make release HOGA_COMMIT="$HOGA_COMMIT"

FROM debian:12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates \
        libcurl4 \
        libdeflate0 \
        libhttp-parser2.9 \
        libncursesw6 \
        libpq5 \
        libsimdjson14 \
        libsqlite3-0 \
        libssl3 \
        libstdc++6 \
        libtinfo6 \
        libwslay1 \
        ncurses-base \
        zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /hoga/dist/hoga /usr/local/bin/hoga
COPY LICENSE /usr/share/doc/hoga/LICENSE
# A number, so that engines can check that it is not root; it has no account.
USER 10001:10001
WORKDIR /
ENV HOGA_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
# The admin listener stays on the container's 127.0.0.1 unless HOGA_ADMIN_LISTEN says otherwise; hoga
# itself is the health check's client.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/usr/local/bin/hoga", "health"]
ENTRYPOINT ["/usr/local/bin/hoga"]
CMD ["serve"]
