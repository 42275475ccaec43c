"""Arrays between Python and the JVM, at the speed of the socket."""
