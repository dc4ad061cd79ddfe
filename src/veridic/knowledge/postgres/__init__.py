"""A knowledge base in PostgreSQL with pgvector: the same tables, a partition of each to a namespace.

`transactions.PostgresStore` gives connections that take the statements of the room above. What differs is here: schema
(`migrations`), whose rights it is used with (`roles`), words (`words`), vectors (`halfvec`), failures (`failures`).
These modules need the extra `postgres`, but for this one and for `partitions`.
"""
