// Writing memory without reading it into the caches first: faster where the data of all ranks does not fit in these.
#ifndef RANKUNIT_COLL_HOST_PAST_CACHE_H
#define RANKUNIT_COLL_HOST_PAST_CACHE_H

#include <cstddef>
#include <cstdint>

namespace rankunit::coll {

// Whether this is possible on this kind of processor; else copy_past_cache is an ordinary copy.
#ifdef __x86_64__
constexpr bool kCanPassCache = true;
#else
constexpr bool kCanPassCache = false;
#endif

// Targets at multiples of this are written fastest.
constexpr uint64_t kWholeLine = 64;

// The size of the cache that all cores share; a usual one if it is not known.
uint64_t shared_cache_bytes();

// Copies bytes that do not overlap. Call finish_past_cache before another rank may be told.
void copy_past_cache(void *to, const void *from, size_t bytes);
void finish_past_cache();

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_PAST_CACHE_H
