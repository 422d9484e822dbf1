"""What a table is: kinds of column, the blocks of columns that families read, labels."""
