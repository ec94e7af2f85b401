"""A server that misbehaves on purpose, in one known way at each path; `/` lists them."""
