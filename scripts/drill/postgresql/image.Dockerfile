# Stands in for PostgreSQL's official image: Debian's package, the same paths, user and interface.
ARG BASE_IMAGE
FROM $BASE_IMAGE
RUN groupadd --system --gid 999 postgres \
    && useradd --system --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres \
    && apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-common gosu \
    && echo create_main_cluster = false >> /etc/postgresql-common/createcluster.conf \
    && apt-get install --yes --no-install-recommends postgresql-15
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV PGDATA=/var/lib/postgresql/data
COPY entrypoint.sh /usr/local/bin/docker-entrypoint
RUN mkdir /docker-entrypoint-initdb.d
VOLUME /var/lib/postgresql/data
# As the official image: clients are disconnected at once, and the server ends without recovery.
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint"]
CMD ["postgres", "-c", "listen_addresses=*"]
