"""The only place with sockets."""
