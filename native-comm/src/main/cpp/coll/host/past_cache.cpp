#include "coll/host/past_cache.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace rankunit::coll {

// As the kernel says, since sysconf counts the caches of other processors on some machines.
uint64_t shared_cache_bytes() {
    constexpr uint64_t kUsual = uint64_t{32} << 20;
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    uint64_t size = 0;
    char unit = 0;
    if (!(file >> size >> unit) || size == 0) return kUsual;
    return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : kUsual;
}

#ifdef __x86_64__

void copy_past_cache(void *to, const void *from, size_t bytes) {
    auto *target = static_cast<char *>(to);
    const auto *source = static_cast<const char *>(from);
    const size_t before = std::min(bytes, (kWholeLine - reinterpret_cast<uint64_t>(to) % kWholeLine) % kWholeLine);
    std::memcpy(target, source, before);
    size_t done = before;
    for (; done + kWholeLine <= bytes; done += kWholeLine) {
        // Further ahead than the processor itself looks. An address that is not mapped does no harm.
        _mm_prefetch(source + done + 1024, _MM_HINT_T0);
        for (size_t i = done; i < done + kWholeLine; i += sizeof(__m128i)) {
            _mm_stream_si128(reinterpret_cast<__m128i *>(target + i),
                             _mm_loadu_si128(reinterpret_cast<const __m128i *>(source + i)));
        }
    }
    std::memcpy(target + done, source + done, bytes - done);
}

void finish_past_cache() {
    // A later store may be seen before such stores, even one with release.
    _mm_sfence();
}

#else

void copy_past_cache(void *to, const void *from, size_t bytes) {
    std::memcpy(to, from, bytes);
}

void finish_past_cache() {}

#endif

}  // namespace rankunit::coll
