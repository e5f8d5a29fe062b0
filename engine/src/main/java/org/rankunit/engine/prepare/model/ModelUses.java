package org.rankunit.engine.prepare.model;

import java.util.List;

/**
 * What a model used, or looked for: its results hold for as long as this stays the same.
 *
 * @param resources names of classes and other resources on the class path, such as {@code org/example/Model.class}
 * @param parameters names of parameters of the run, without their prefix
 */
public record ModelUses(List<String> resources, List<String> parameters) {}
