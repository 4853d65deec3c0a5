package import HubClient

/// Something to measure at a hub.
package protocol BenchScenario: Sendable {
    /// Its name, as on the command line.
    var name: String { get }
    /// What it was told, by the option's name.
    var settings: [String: String] { get }
    /// Measures once, at a hub that nobody else uses.
    func turn(
        _ hub: any BenchHub,
        progress: @escaping BenchProgress
    ) async throws(BenchFailure) -> BenchTurn
}

/// Told what is going on, in readable lines.
package typealias BenchProgress = @Sendable (String) -> Void

/// The hub that is measured.
package protocol BenchHub: Sendable {
    /// How to reach it, and its process.
    var connection: ConnectionFile { get }
    /// Kills it and starts it again on the same ports.
    func restarted() async throws(BenchFailure) -> ConnectionFile
}

/// What can stop a run before there is something to report.
package enum BenchFailure: Error, Equatable, Sendable {
    /// A device or the reactor could not be set up.
    case setup(DeviceFault)
    /// The sender could not be set up, or every send failed.
    case sending(SenderError)
    /// Not all devices got so far in time.
    case incomplete(what: String, count: Int, of: Int, firstFault: String?)
    /// The hub could not be started, or started again.
    case hub(String)
    /// The process may not have so many files open.
    case openFiles(limit: Int, needed: Int)
}

extension BenchFailure: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .setup(let fault): fault.description
        case .sending(let error): "sending failed: \(error)"
        case .incomplete(let what, let count, let all, let fault):
            "only \(count) of \(all) devices were \(what) in time"
                + (fault.map { "; first fault: \($0)" } ?? "")
        case .hub(let reason): reason
        case .openFiles(let limit, let needed):
            "\(limit) open files are allowed, \(needed) are needed"
        }
    }
}
