import DeviceEmulator
import Synchronization

/// The outcome of everything that a script asked for.
final class AppOutcome: Sendable {
    private let failed = Mutex(false)

    /// Whether anything failed.
    var hasFailed: Bool { failed.withLock { $0 } }

    /// Notes that something failed.
    func fail() { failed.withLock { $0 = true } }

    /// Notes a command that has failed, and a send that a user did not get.
    func receive(_ line: PhoneLine) {
        switch line {
        case .done(let fault): if fault != nil { fail() }
        case .sent(let problems): if !problems.isEmpty { fail() }
        default: break
        }
    }
}
