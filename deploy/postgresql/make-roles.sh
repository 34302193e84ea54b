#!/usr/bin/env bash
# Creates the roles of hoga. PostgreSQL's image runs this once, when it fills its data folder.
# Passwords come from files and do not appear in process lists.
#
#   hoga_owner    owns the schema: `hoga migrate up`, `hoga user …`, `hoga store backup`
#   hoga_app      the rights of a running hoga; cannot log in
#   hoga_service  a member of hoga_app, used by hoga serve
set -euo pipefail

secrets=${HOGA_SECRETS_FOLDER:-/run/secrets}

# psql accepts an empty password as none, which would stay in the data folder.
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
CREATE ROLE hoga_owner LOGIN CREATEDB PASSWORD :'owner';
CREATE ROLE hoga_app NOLOGIN;
CREATE ROLE hoga_service LOGIN PASSWORD :'service' IN ROLE hoga_app;
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \\gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO hoga_app', current_database()) \\gexec
SELECT format('ALTER DATABASE %I OWNER TO hoga_owner', current_database()) \\gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) FROM PUBLIC;
END
