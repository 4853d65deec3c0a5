package import HubClient
package import HubSender

/// Why a run stops before there is something to report.
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
