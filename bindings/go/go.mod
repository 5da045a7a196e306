module ringside

go 1.21
