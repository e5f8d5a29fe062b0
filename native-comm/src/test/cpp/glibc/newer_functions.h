// A library that uses what the C++ library offers and an old glibc lacks, linked as backends are.
#ifndef RANKUNIT_TEST_GLIBC_NEWER_FUNCTIONS_H
#define RANKUNIT_TEST_GLIBC_NEWER_FUNCTIONS_H

#include <chrono>
#include <string>

#include "rankunit/export.h"

namespace rankunit::test {

// The number that another thread of the library left in a variable of its own.
RANKUNIT_EXPORT int number_of_another_thread(int number);

// How long the library waited for a condition that never holds.
RANKUNIT_EXPORT std::chrono::milliseconds wait_in_vain(std::chrono::milliseconds limit);

// How often of `calls` a function ran that may run once.
RANKUNIT_EXPORT int runs_of_one_call(int calls);

// Whether a writer was kept out while a reader was inside, and let in afterwards.
RANKUNIT_EXPORT bool writer_waits_for_reader();

// Bits that were 1 at least once in many random words.
RANKUNIT_EXPORT unsigned random_bits();

// "folder", "file", "link" or "nothing".
RANKUNIT_EXPORT std::string kind_of(const std::string &path);
RANKUNIT_EXPORT std::string first_line(const std::string &path);
RANKUNIT_EXPORT bool same_file(int fd, const std::string &path);

// The text of what was thrown, several frames further down.
RANKUNIT_EXPORT std::string text_thrown(const std::string &text, int frames);

// The content of a memory file, after it was written.
RANKUNIT_EXPORT std::string through_memory_file(const std::string &content);

// Whether `from` became `to`; never if there is a `to`.
RANKUNIT_EXPORT bool rename_to_new(const std::string &from, const std::string &to);

// Whether the symbol is found in the process, by name; the text of the failure if it is not.
RANKUNIT_EXPORT std::string find_symbol(const std::string &library, const std::string &symbol);

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_GLIBC_NEWER_FUNCTIONS_H
