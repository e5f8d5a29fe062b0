#pragma once

#include <cstdint>

inline float scaled(float value, uint64_t factor) {
    return value * static_cast<float>(factor);
}
