package org.rankunit.engine.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real browser with one page, told what to do over the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). It has
 * a profile of its own and ends with this object, and each wait for it has a deadline.
 */
final class Chromium implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LISTENS = "DevTools listening on ";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<JsonNode> loaded = new CompletableFuture<>();

    private Chromium(Process process, URI page) throws Exception {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, new Messages())
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** The browser of this machine, if it has one. */
    static Optional<Path> installed() {
        List<String> folders = Arrays.asList(System.getenv("PATH").split(File.pathSeparator));
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param profile an empty folder */
    static Chromium start(Path profile) throws Exception {
        Process process = new ProcessBuilder(
                        installed().orElseThrow().toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--hide-scrollbars",
                        "--user-data-dir=" + profile,
                        "--remote-debugging-port=0",
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            URI browser = CompletableFuture.supplyAsync(() -> whereItListens(process))
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return new Chromium(process, pageOf(browser));
        } catch (Exception e) {
            end(process);
            throw e;
        }
    }

    private static URI whereItListens(Process process) {
        StringBuilder said = new StringBuilder();
        try {
            BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(LISTENS)) {
                    // It must never wait for somebody to read the rest.
                    Thread rest = new Thread(() -> lines.lines().forEach(each -> {}));
                    rest.setDaemon(true);
                    rest.start();
                    return URI.create(line.substring(LISTENS.length()));
                }
                said.append(line).append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("the browser has not come up: " + said);
    }

    private static URI pageOf(URI browser) throws Exception {
        URI list = URI.create("http://" + browser.getAuthority() + "/json/list");
        String text = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(list).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode target : JSON.readTree(text)) {
            if (target.path("type").asText().equals("page")) {
                return URI.create(target.path("webSocketDebuggerUrl").asText());
            }
        }
        throw new IllegalStateException("no page: " + text);
    }

    /** Puts fragments of messages together, and passes each to whoever waits for it. */
    private final class Messages implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                heard(message);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void heard(String message) {
        JsonNode node;
        try {
            node = JSON.readTree(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonNode params = node.path("params");
        if (node.has("id")) {
            Optional.ofNullable(answers.remove(node.path("id").asInt())).ifPresent(answer -> answer.complete(node));
            return;
        }
        switch (node.path("method").asText()) {
            case "Network.requestWillBeSent" ->
                requested.add(params.path("request").path("url").asText());
            case "Runtime.exceptionThrown" -> complaints.add(params.toString());
            case "Log.entryAdded" -> complaints.add(params.toString());
            case "Page.loadEventFired" -> loaded.complete(params);
            default -> {
                // Nobody waits for it.
            }
        }
    }

    /** Call a method of the protocol; returns its result. */
    JsonNode call(String method, Map<String, ?> params) throws Exception {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", params)), true)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        JsonNode said = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (said.has("error")) {
            throw new IllegalStateException(method + ": " + said.path("error"));
        }
        return said.path("result");
    }

    /** Open a file, and wait until it is loaded and has run its script. */
    void open(Path file, String hash) throws Exception {
        load("about:blank");
        requested.clear();
        complaints.clear();
        load(file.toUri() + hash);
        waitForDrawing();
    }

    /** Follow a link inside the page, and wait until it is drawn. */
    void follow(String hash) throws Exception {
        // The page listened first, so it has followed when this listener hears of it.
        value("new Promise(done => { addEventListener('hashchange', () => done(true), { once: true });"
                + " location.hash = '" + hash + "'; })");
        waitForDrawing();
    }

    /** Charts are drawn when the size of their box is known, which is told in the frame after the box has been made. */
    private void waitForDrawing() throws Exception {
        value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    private void load(String url) throws Exception {
        CompletableFuture<JsonNode> load = new CompletableFuture<>();
        loaded = load;
        call("Page.navigate", Map.of("url", url));
        load.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Click the element that an expression names. */
    void click(String element) throws Exception {
        value(element + ".click()");
        waitForDrawing();
    }

    /** The value of an expression in the page; promises are awaited. */
    JsonNode value(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.path("exceptionDetails").toString());
        }
        return result.path("result").path("value");
    }

    String text(String expression) throws Exception {
        return value(expression).asText();
    }

    /** Press and release a key: a character, or a key with a name. */
    void press(String key) throws Exception {
        Map<String, ?> named = Map.of("key", key, "code", key, "windowsVirtualKeyCode", codeOf(key));
        Map<String, ?> typed = Map.of("type", "keyDown", "key", key, "text", key);
        call("Input.dispatchKeyEvent", key.length() == 1 ? typed : with(named, "keyDown"));
        call("Input.dispatchKeyEvent", key.length() == 1 ? Map.of("type", "keyUp", "key", key) : with(named, "keyUp"));
        waitForDrawing();
    }

    private static Map<String, ?> with(Map<String, ?> key, String type) {
        Map<String, Object> all = new java.util.HashMap<>(key);
        all.put("type", type);
        return all;
    }

    private static int codeOf(String key) {
        return switch (key) {
            case "Tab" -> 9;
            case "Enter" -> 13;
            case "Escape" -> 27;
            case "ArrowUp" -> 38;
            case "ArrowDown" -> 40;
            default -> 0;
        };
    }

    void type(String text) throws Exception {
        for (int i = 0; i < text.length(); i++) {
            press(text.substring(i, i + 1));
        }
    }

    /** Prefer dark or light colours, as the system of the reader does. */
    void prefer(String scheme) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void size(int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        waitForDrawing();
    }

    void screenshot(Path file) throws Exception {
        JsonNode shot = call("Page.captureScreenshot", Map.of("format", "png"));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
    }

    /** What the page has loaded since it was opened, itself included. */
    List<String> requested() {
        return List.copyOf(requested);
    }

    /** Errors of scripts and of the console since the page was opened. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    @Override
    public void close() {
        socket.abort();
        end(process);
    }

    /** All of its processes are told to end at once; the first one is waited for. */
    private static void end(Process process) {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
}
