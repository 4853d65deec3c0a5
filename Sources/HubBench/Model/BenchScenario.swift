/// Something to measure at a hub.
package protocol BenchScenario: Sendable {
    /// Its name, as on the command line.
    var name: String { get }
    /// The scenario's settings, by the option's name.
    var settings: [String: String] { get }
    /// Measures once, at a hub that has no other clients.
    func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn
}
