import Glibc

/// Signals of the process that the kit runs in.
enum KitSignals {
    /// A peer that closes while it is written to is a finding, not the end of the process.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
