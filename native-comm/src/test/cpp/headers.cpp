// Owns the precompiled headers of the programs of tests; not a test.
int main() {}
