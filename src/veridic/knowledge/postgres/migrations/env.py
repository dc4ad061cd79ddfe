"""What Alembic runs: the revisions, over the connection that was given."""

from alembic import context

from veridic.knowledge.postgres.roles import SCHEMA

context.configure(connection=context.config.attributes["connection"], version_table_schema=SCHEMA)
with context.begin_transaction():
    context.run_migrations()
