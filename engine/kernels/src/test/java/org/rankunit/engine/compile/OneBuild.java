package org.rankunit.engine.compile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Program: build the kernels of a project, and print how many were compiled.
 *
 * <p>Arguments: folder of the project, its cache, its compiler.
 */
final class OneBuild {

    private OneBuild() {}

    static Process start(KernelProject project) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        OneBuild.class.getName(),
                        project.folder.toString(),
                        project.cache.toString(),
                        project.settings().compiler().get(0))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) throws Exception {
        KernelProject project = new KernelProject(Path.of(arguments[0]), Path.of(arguments[1])).compiler(arguments[2]);
        List<String> compiled = project.compiled();
        System.out.println(compiled.size());
    }
}
