"""Tables: kinds of columns, blocks that families read, labels."""
