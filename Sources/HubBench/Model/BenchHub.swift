package import HubClient

/// The hub that is measured.
package protocol BenchHub: Sendable {
    /// How to reach it, and its process.
    var connection: ConnectionFile { get }
    /// Kills it and starts it again on the same ports.
    func restarted() async throws(BenchFailure) -> ConnectionFile
}
