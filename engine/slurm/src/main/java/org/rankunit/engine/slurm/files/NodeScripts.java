package org.rankunit.engine.slurm.files;

/** What is run in a shell on each node. */
final class NodeScripts {

    /** Prints a line for each of its arguments that is no file here: the name of the node, and the path. */
    static final String LOOK = """
            for file; do
                [ -e "$file" ] || echo "$SLURMD_NODENAME $file"
            done
            """;

    /**
     * Makes the folder of a run. Arguments: the folder of all runs of this user, that of this run, and the digests of what will be
     * copied. Prints those that another run has not copied already. Whatever a run of yesterday has left behind is removed.
     */
    static final String BEGIN = """
            root="$1" run="$2"
            shift 2
            umask 077
            mkdir -p "$root" 2>/dev/null && [ -d "$root" ] && [ ! -L "$root" ] && [ -O "$root" ] || {
                echo "$SLURMD_NODENAME: $root cannot be created, or is not a folder of this user" >&2
                exit 1
            }
            find "$root" -mindepth 1 -maxdepth 1 ! -name store -mmin +1440 -exec rm -rf {} +
            mkdir "$run" 2>/dev/null || {
                echo "$SLURMD_NODENAME: another node has created $run: it must be a folder local to each node" >&2
                exit 1
            }
            mkdir -p "$root/store" "$run/store"
            for digest; do
                ln "$root/store/$digest" "$run/store/$digest" 2>/dev/null || echo "$digest"
            done
            """;

    /**
     * Unpacks what was copied. Arguments: the folder of all runs of this user, that of this run. A copy has two names, so that it
     * is known whether some run still uses it.
     */
    static final String UNPACK = """
            root="$1"
            cd "$2" && tar -xf files.tar && rm files.tar || exit 1
            mkdir classpath files logs
            while read -r digest kind name; do
                ln "store/$digest" "$root/store/$digest" 2>/dev/null
                if [ "$kind" = folder ]; then
                    mkdir "classpath/$name" && tar -xf "store/$digest" -C "classpath/$name" || exit 1
                else
                    ln "store/$digest" "classpath/$name" || exit 1
                fi
            done <entries
            """;

    /** Removes what was copied for a run, and what no run uses any more. Arguments as of {@link #UNPACK}. */
    static final String END = """
            rm -rf "$2"
            find "$1/store" -type f -links 1 -delete
            rmdir "$1/store" "$1" 2>/dev/null
            exit 0
            """;

    private NodeScripts() {}
}
