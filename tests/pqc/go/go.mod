module ringside/tests/pqc

go 1.24
