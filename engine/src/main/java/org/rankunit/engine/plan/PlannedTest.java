package org.rankunit.engine.plan;

import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;

/** One test of the tree, and the decision about it. */
public record PlannedTest(DeviceTestDescriptor node, DeviceTest test, TestDecision decision) {}
