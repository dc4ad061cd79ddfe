"""Who may ask servers, and how often."""

from importlib import resources

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables that servers share."""
    statements = resources.files("veridic.knowledge.postgres.migrations").joinpath("0002_access.sql")
    op.get_bind().exec_driver_sql(statements.read_text(encoding="utf-8"))
