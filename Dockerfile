# An image of hoga, built from the checkout, that runs as an unprivileged user. It installs the
# Debian package that the first stage makes.
#
#   docker build --build-arg HOGA_COMMIT="$(git describe --always --abbrev=12 --dirty=+changes)" \
#       --tag hoga .

# Base images; build arguments replace them.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG BASE_IMAGE=debian:12-slim

FROM $SWIFT_IMAGE AS build
WORKDIR /hoga
COPY scripts/bootstrap scripts/bootstrap
RUN scripts/bootstrap package
COPY . .
ARG HOGA_COMMIT=unknown
RUN make package HOGA_COMMIT="$HOGA_COMMIT"

FROM $BASE_IMAGE
# Removes setuid and setgid bits, also from programs of the base.
RUN --mount=type=bind,from=build,source=/hoga/dist,target=/dist \
    apt-get update \
    && apt-get install --yes --no-install-recommends /dist/hoga_*.deb \
    && echo image > /usr/share/hoga/installation \
    && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log
# A number, so that engines can check that it is not root; it has no account.
USER 10001:10001
WORKDIR /
ENV LANG=C.UTF-8 HOGA_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
# The admin listener stays on the container's 127.0.0.1 unless HOGA_ADMIN_LISTEN says otherwise; hoga
# itself is the health check's client.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/usr/bin/hoga", "health"]
ENTRYPOINT ["/usr/bin/hoga"]
CMD ["serve"]
