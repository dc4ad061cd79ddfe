"""Order, edges and policies. No graph object lives here: `entrypoint` makes the served one."""
