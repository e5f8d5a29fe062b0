package org.rankunit.engine.schedule;

import java.util.ArrayList;
import java.util.List;

/** Threads of a run that are not left behind: whoever starts them waits for their end. Thread-safe. */
public final class Workers {

    private final List<Thread> threads = new ArrayList<>();

    /** Start a thread; those that have ended are forgotten. */
    public synchronized void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.removeIf(other -> !other.isAlive());
        threads.add(thread);
        thread.start();
    }

    /** Ask all of them to come to their end. */
    public synchronized void interrupt() {
        threads.forEach(Thread::interrupt);
    }

    /** Wait until all have ended, each of which bounds its own work; an interrupt of the caller is kept for later. */
    public void awaitEnd() {
        boolean interrupted = false;
        for (Thread thread : started()) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<Thread> started() {
        return List.copyOf(threads);
    }
}
