package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.platform.commons.support.ReflectionSupport;
import org.rankunit.Buffer;
import org.rankunit.golden.model.RankModel;

/**
 * One test with one number of ranks, on one platform: what its goldens depend on.
 *
 * @param parameters those of the run
 */
public record Variant(TestDeclaration test, String platform, Map<String, String> parameters) {

    /** Where its goldens come from. */
    public TestDeclaration.GoldenSource source() {
        return Objects.requireNonNull(test.goldens());
    }

    /** Find a declared buffer. */
    public Optional<BufferDeclaration> buffer(String name) {
        return test.buffers().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /**
     * Make an instance of its golden model.
     *
     * @param loader has the class
     */
    public RankModel newModel(ClassLoader loader) throws ClassNotFoundException {
        return (RankModel) ReflectionSupport.newInstance(Class.forName(source().model(), true, loader));
    }

    List<String> bufferNames() {
        return test.buffers().stream().map(BufferDeclaration::name).toList();
    }

    /** Whether a golden must be there for it. */
    public static boolean isRequired(BufferDeclaration buffer) {
        return buffer.role() == Buffer.Role.OUTPUT && !buffer.unverified();
    }
}
