package org.rankunit.engine.slurm.job;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.engine.site.SiteException;

/** Where the daemons of a job's nodes listen. Immutable. */
public final class NodeAddresses {

    /** The port comes after both names of the node, or not at all: the reason at the end may contain anything. */
    private static final Pattern NODE =
            Pattern.compile("NodeName=(\\S+) .*?NodeAddr=(\\S+) (?:NodeHostName=\\S+ )?(?:Port=(\\d+) )?.*");

    private static final Pattern PORT = Pattern.compile("(?m)^SlurmdPort\\s*=\\s*(\\d+)");
    private static final int DEFAULT_PORT = 6818;

    private final Map<String, InetSocketAddress> addresses;

    private NodeAddresses(Map<String, InetSocketAddress> addresses) {
        this.addresses = addresses;
    }

    /** Ask Slurm for the addresses of nodes. */
    public static NodeAddresses of(Collection<String> nodes, SlurmCommands slurm) {
        return parse(
                slurm.ask("scontrol", "show", "node", "--oneliner", String.join(",", nodes)),
                usualPort(slurm.ask("scontrol", "show", "config")));
    }

    /** The port of all nodes for which {@code scontrol show node} shows none. */
    static int usualPort(String config) {
        Matcher port = PORT.matcher(config);
        return port.find() ? Integer.parseInt(port.group(1)) : DEFAULT_PORT;
    }

    /** @param usualPort where a node listens without a port of its own */
    static NodeAddresses parse(String lines, int usualPort) {
        Map<String, InetSocketAddress> found = new LinkedHashMap<>();
        lines.lines().map(NODE::matcher).filter(Matcher::matches).forEach(node -> {
            int port = node.group(3) == null ? usualPort : Integer.parseInt(node.group(3));
            found.put(node.group(1), new InetSocketAddress(node.group(2), port));
        });
        return new NodeAddresses(Collections.unmodifiableMap(found));
    }

    /** The addresses by the names of the nodes. */
    Map<String, InetSocketAddress> all() {
        return addresses;
    }

    /**
     * The address of this machine at which all nodes reach it: the one from which it would send to them. Listening there, this
     * process is not reachable from other networks.
     *
     * @throws SiteException if no address of a node is known, or there is no way to it
     */
    public String addressOfThisMachine() {
        List<String> found = addresses.entrySet().stream()
                .map(node -> sourceFor(node.getKey(), node.getValue()))
                .toList();
        // The name of this machine, which may be one of the nodes, may stand for a loopback address here.
        return found.stream()
                .filter(address -> !isLoopback(address))
                .findFirst()
                .or(() -> found.stream().findFirst())
                .orElseThrow(() -> new SiteException("Slurm names no address of the nodes of this job"));
    }

    /** The address of a node, in numbers; empty if this machine cannot resolve it. */
    public Optional<String> of(String node) {
        return Optional.ofNullable(addresses.get(node))
                .filter(address -> !address.isUnresolved())
                .map(address -> address.getAddress().getHostAddress());
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1");
    }

    private static String sourceFor(String node, InetSocketAddress to) {
        if (to.isUnresolved()) {
            throw new SiteException(
                    "node " + node + " has the address " + to.getHostString() + ", which this machine cannot resolve");
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            // Sends nothing; the system chooses the address as for a packet.
            socket.connect(to);
            InetAddress from = socket.getLocalAddress();
            return isAddressOf(from) ? from.getHostAddress() : to.getAddress().getHostAddress();
        } catch (IOException | RuntimeException e) {
            throw new SiteException("there is no route from this machine to node " + node + ", " + to + ": " + e, e);
        }
    }

    private static boolean isAddressOf(InetAddress address) throws IOException {
        return !address.isAnyLocalAddress() && NetworkInterface.getByInetAddress(address) != null;
    }

    /**
     * Why a node does not answer; empty if it does. A refused connection is an answer, too: its daemon may be gone, but its system
     * answers.
     *
     * @param limit how long it may take; blocks for that time at most
     */
    public Optional<String> whySilent(String node, Duration limit) {
        InetSocketAddress address = addresses.get(node);
        if (address == null || address.isUnresolved()) {
            return Optional.empty();
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) Math.max(1, limit.toMillis()));
            return Optional.empty();
        } catch (ConnectException e) {
            boolean refused = String.valueOf(e.getMessage()).contains("refused");
            return refused ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
        } catch (SocketTimeoutException e) {
            return Optional.of("no answer within " + limit.toMillis() + " ms");
        } catch (NoRouteToHostException | UnknownHostException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }
}
