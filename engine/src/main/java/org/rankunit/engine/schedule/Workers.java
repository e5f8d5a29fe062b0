package org.rankunit.engine.schedule;

import java.util.ArrayList;
import java.util.List;

/** Threads of a run that never outlive it: the code that starts them waits until they end. Thread-safe. */
public final class Workers {

    private final List<Thread> threads = new ArrayList<>();

    /** Start a thread; threads that have ended are removed from the list. */
    public synchronized void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.removeIf(other -> !other.isAlive());
        threads.add(thread);
        thread.start();
    }

    /** Interrupt all threads, so that they end. */
    public synchronized void interrupt() {
        threads.forEach(Thread::interrupt);
    }

    /** Wait until all threads have ended; each one bounds its own work. If the caller is interrupted, the flag is restored. */
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
