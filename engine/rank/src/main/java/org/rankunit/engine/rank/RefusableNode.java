package org.rankunit.engine.rank;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.hierarchical.EngineExecutionContext;
import org.junit.platform.engine.support.hierarchical.ExclusiveResource;
import org.junit.platform.engine.support.hierarchical.Node;

/**
 * Wraps a test, factory or template of Jupiter and delegates everything to it, but does not notify its watchers if the parent
 * refused it: it has no result on these ranks.
 */
final class RefusableNode<C extends EngineExecutionContext> implements TestDescriptor, Node<C> {

    private final TestDescriptor descriptor;
    private final Node<C> node;
    private final RankSession session;

    private RefusableNode(TestDescriptor descriptor, Node<C> node, RankSession session) {
        this.descriptor = descriptor;
        this.node = node;
        this.session = session;
    }

    /** Wrap this descriptor; it is returned as it is if it is not an executable node of the platform. */
    static TestDescriptor of(TestDescriptor descriptor, RankSession session) {
        return descriptor instanceof Node<?> node ? standingFor(descriptor, node, session) : descriptor;
    }

    private static <C extends EngineExecutionContext> TestDescriptor standingFor(
            TestDescriptor descriptor, Node<C> node, RankSession session) {
        return new RefusableNode<>(descriptor, node, session);
    }

    /** Whether this creates invocations, of a method or of a class. */
    static boolean isTemplate(TestDescriptor descriptor) {
        return descriptor.getUniqueId().getLastSegment().getType().endsWith("-template");
    }

    @Override
    public void nodeSkipped(C context, TestDescriptor skipped, SkipResult result) {
        if (!session.wasRefused(getUniqueId().toString())) {
            node.nodeSkipped(context, descriptor, result);
        }
    }

    @Override
    public void nodeFinished(C context, TestDescriptor finished, TestExecutionResult result) {
        String id = getUniqueId().toString();
        boolean releasedBefore = result.getThrowable()
                .filter(thrown -> !session.hasAsked(id) && session.releasedBy(thrown) >= 0)
                .isPresent();
        if (!releasedBefore && !session.wasRefused(id)) {
            node.nodeFinished(context, descriptor, result);
        }
    }

    @Override
    public C execute(C context, DynamicTestExecutor executor) throws Exception {
        return node.execute(context, isTemplate(descriptor) ? new Invocations(executor) : executor);
    }

    /** Runs the invocations of a template: an invocation of a method is a test, and an invocation of a class contains tests. */
    private final class Invocations implements DynamicTestExecutor {

        private final DynamicTestExecutor executor;

        Invocations(DynamicTestExecutor executor) {
            this.executor = executor;
        }

        @Override
        public void execute(TestDescriptor invocation) {
            executor.execute(refusable(invocation));
        }

        @Override
        public Future<?> execute(TestDescriptor invocation, EngineExecutionListener listener) {
            return executor.execute(refusable(invocation), listener);
        }

        private TestDescriptor refusable(TestDescriptor invocation) {
            if (invocation.getChildren().isEmpty()) {
                return of(invocation, session);
            }
            RankJupiter.refuseQuietlyBelow(invocation, session);
            return invocation;
        }

        @Override
        public void awaitFinished() throws InterruptedException {
            executor.awaitFinished();
        }
    }

    @Override
    public C prepare(C context) throws Exception {
        return node.prepare(context);
    }

    @Override
    public void cleanUp(C context) throws Exception {
        node.cleanUp(context);
    }

    @Override
    public SkipResult shouldBeSkipped(C context) throws Exception {
        return node.shouldBeSkipped(context);
    }

    @Override
    public C before(C context) throws Exception {
        return node.before(context);
    }

    @Override
    public void after(C context) throws Exception {
        node.after(context);
    }

    @Override
    public void around(C context, Invocation<C> invocation) throws Exception {
        node.around(context, invocation);
    }

    @Override
    public Set<ExclusiveResource> getExclusiveResources() {
        return node.getExclusiveResources();
    }

    @Override
    public ExecutionMode getExecutionMode() {
        return node.getExecutionMode();
    }

    @Override
    public UniqueId getUniqueId() {
        return descriptor.getUniqueId();
    }

    @Override
    public String getDisplayName() {
        return descriptor.getDisplayName();
    }

    @Override
    public String getLegacyReportingName() {
        return descriptor.getLegacyReportingName();
    }

    @Override
    public Set<TestTag> getTags() {
        return descriptor.getTags();
    }

    @Override
    public Optional<TestSource> getSource() {
        return descriptor.getSource();
    }

    @Override
    public Optional<TestDescriptor> getParent() {
        return descriptor.getParent();
    }

    @Override
    public void setParent(@Nullable TestDescriptor parent) {
        descriptor.setParent(parent);
    }

    @Override
    public Set<? extends TestDescriptor> getChildren() {
        return descriptor.getChildren();
    }

    @Override
    public void addChild(TestDescriptor child) {
        descriptor.addChild(child);
    }

    @Override
    public void removeChild(TestDescriptor child) {
        descriptor.removeChild(child);
    }

    @Override
    public void removeFromHierarchy() {
        getParent().ifPresent(parent -> parent.removeChild(this));
    }

    @Override
    public Type getType() {
        return descriptor.getType();
    }

    @Override
    public boolean mayRegisterTests() {
        return descriptor.mayRegisterTests();
    }

    @Override
    public Optional<? extends TestDescriptor> findByUniqueId(UniqueId uniqueId) {
        return descriptor.findByUniqueId(uniqueId);
    }

    @Override
    public String toString() {
        return descriptor.toString();
    }
}
