#!/usr/bin/env bash
# Starts PostgreSQL as the official image does, as far as docker-compose.yml uses that: as root it
# owns the data folder and becomes the user postgres; an empty data folder is filled by initdb with
# POSTGRES_INITDB_ARGS, the password of POSTGRES_PASSWORD_FILE and the database POSTGRES_DB, then
# the scripts of /docker-entrypoint-initdb.d run beside a server without network.
set -euo pipefail

data=${PGDATA:?}
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p "$data" /var/run/postgresql
    chown postgres "$data" /var/run/postgresql
    chmod 700 "$data"
    exec gosu postgres "$0" "$@"
fi

if [ ! -s "$data/PG_VERSION" ]; then
    # shellcheck disable=SC2086  # several arguments in one variable, as in the official image
    initdb --pgdata "$data" --username postgres --pwfile "$POSTGRES_PASSWORD_FILE" \
        ${POSTGRES_INITDB_ARGS:-}
    printf 'host all all all scram-sha-256\n' >> "$data/pg_hba.conf"
    pg_ctl --pgdata "$data" --wait --options "-c listen_addresses=''" start
    export PGUSER=postgres
    createdb "$POSTGRES_DB"
    for script in /docker-entrypoint-initdb.d/*.sh; do
        "$script"
    done
    unset PGUSER
    pg_ctl --pgdata "$data" --wait --mode fast stop
fi
exec "$@"
