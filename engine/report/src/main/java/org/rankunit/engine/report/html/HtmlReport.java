package org.rankunit.engine.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;

/**
 * The report as one page that needs no network and no other file. Stateless.
 *
 * <p>The page itself, its style and its script are resources beside this class. The report goes into it as {@link PageData}. A policy
 * in the page allows exactly this script and this style, so that no text of a test can become code.
 */
public final class HtmlReport implements ReportFormat {

    /** The parts of the script, in the order in which they need each other. */
    private static final List<String> SCRIPTS = List.of(
            "dom.js", "data.js", "charts.js", "goldens.js", "collectives.js", "detail.js", "devices.js", "main.js");

    /** Larger pages open slowly; the report is then shortened. */
    static final int MAX_BYTES = 18 << 20;

    @Override
    public String fileName() {
        return "index.html";
    }

    @Override
    public void write(RunReport report, Path file) throws IOException {
        Files.writeString(file, page(report, MAX_BYTES));
    }

    /** The page, at most so many characters long as far as leaving out details can help. */
    static String page(RunReport report, int most) throws IOException {
        String style = resource("page.css") + CollectivePicture.rules();
        String script = script();
        String policy = "default-src 'none'; script-src '" + digest(script) + "'; style-src '" + digest(style)
                + "'; img-src data:; base-uri 'none'; form-action 'none'";
        String data = "";
        for (Detail detail : Detail.values()) {
            data = PageData.of(detail.of(report), detail.leftOut());
            if (data.length() <= most) {
                break;
            }
        }
        // The data last: no mark is searched for in what tests have written.
        return resource("index.html")
                .replace("@policy@", policy)
                .replace("@style@", style)
                .replace("@script@", script)
                .replace("@data@", data);
    }

    private static String script() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : SCRIPTS) {
            all.append(resource(name)).append('\n');
        }
        return all.toString();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the resource " + name + " is missing in RankUnit's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String digest(String text) {
        try {
            byte[] bytes = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
