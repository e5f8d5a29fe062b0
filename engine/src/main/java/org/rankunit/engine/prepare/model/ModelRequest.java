package org.rankunit.engine.prepare.model;

import java.util.List;
import org.rankunit.engine.protocol.Variant;

/**
 * A model to compute.
 *
 * @param limitMillis how long all its calls may take together; 0 for any time
 * @param classPath where the model and what it uses are: folders and jars
 */
public record ModelRequest(Variant variant, long limitMillis, List<String> classPath) {}
