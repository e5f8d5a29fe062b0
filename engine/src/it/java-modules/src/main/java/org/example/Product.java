package org.example;

import org.slf4j.spi.SLF4JServiceProvider;

final class Product {

    private Product() {}

    static int of(int left, int right) {
        return left * right;
    }

    /** A class of a module on the module path. */
    static Class<?> required() {
        return SLF4JServiceProvider.class;
    }
}
