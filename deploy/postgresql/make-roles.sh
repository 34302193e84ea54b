#!/usr/bin/env bash
# Makes the roles of hoga, once, when PostgreSQL's folder of data is filled; the image of PostgreSQL
# runs it. Passwords come from files and are not seen in any list of processes.
#
#   hoga_owner    owns the schema: `hoga migrate up`, `hoga user …`, dumps
#   hoga_app      what a running hoga may do; nobody logs in as it
#   hoga_service  a member of it, as whom hoga serves
set -euo pipefail

secrets=${HOGA_SECRETS_FOLDER:-/run/secrets}

# psql takes an empty password for none and goes on: the folder of data would stay so for good.
for secret in owner_password service_password; do
    if [ ! -s "$secrets/$secret" ] || [ ! -r "$secrets/$secret" ]; then
        echo "make-roles: $secrets/$secret is empty or cannot be read" >&2
        exit 1
    fi
done

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
    --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" << END
\\set owner \`cat '$secrets/owner_password'\`
\\set service \`cat '$secrets/service_password'\`
CREATE ROLE hoga_owner LOGIN PASSWORD :'owner';
CREATE ROLE hoga_app NOLOGIN;
CREATE ROLE hoga_service LOGIN PASSWORD :'service' IN ROLE hoga_app;
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \\gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO hoga_app', current_database()) \\gexec
SELECT format('ALTER DATABASE %I OWNER TO hoga_owner', current_database()) \\gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;
END
