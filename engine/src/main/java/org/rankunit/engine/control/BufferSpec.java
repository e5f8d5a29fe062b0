package org.rankunit.engine.control;

/**
 * One buffer that a rank must publish for a test.
 *
 * @param type name of a {@code DType}
 * @param placement name of a {@code Placement}
 * @param offset bytes from the window's base if the buffer is placed in the window; otherwise 0
 * @param bytes its size
 */
public record BufferSpec(String name, String type, int count, String placement, long offset, long bytes) {}
