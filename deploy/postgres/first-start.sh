#!/bin/sh
# Run once, when the database is first made: the role that owns the knowledge base is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE veridic LOGIN PASSWORD :'password';
CREATE DATABASE knowledge OWNER veridic ENCODING 'UTF8' TEMPLATE template0;
\connect knowledge
CREATE EXTENSION vector;
SQL
