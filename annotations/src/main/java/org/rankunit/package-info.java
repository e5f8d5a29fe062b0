/**
 * The API for test authors: the annotations that make a Jupiter test a device test, and what such a test sees of its
 * rank.
 */
@NullMarked
package org.rankunit;

import org.jspecify.annotations.NullMarked;
