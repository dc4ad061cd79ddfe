"""Written drafts, and the judge of the base size that learns from them."""
