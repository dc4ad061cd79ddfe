"""The tables of a knowledge base: those of `schema.sql` in the room above, each with a partition to a namespace."""

from importlib import resources

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables in an empty schema."""
    statements = resources.files("veridic.knowledge.postgres.migrations").joinpath("0001_knowledge.sql")
    op.get_bind().exec_driver_sql(statements.read_text(encoding="utf-8"))
