import Dispatch
import Foundation
import Synchronization

/// Hears SIGTERM and SIGINT while a node goes from waiting to leading: between the services of both
/// no other listener is there.
final class EndSignals {
    private final class Told: Sendable {
        private let state = Mutex<(isTold: Bool, body: (@Sendable () -> Void)?)>((false, nil))

        func tell() {
            let body = state.withLock { state in
                state.isTold = true
                return state.body
            }
            body?()
        }

        func whenTold(_ body: @escaping @Sendable () -> Void) {
            let isTold = state.withLock { state in
                state.body = body
                return state.isTold
            }
            if isTold { body() }
        }
    }

    private let told = Told()
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGTERM, SIGINT].map { [told] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { told.tell() }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Has each signal told from now on, and at once one that has come.
    func whenTold(_ body: @escaping @Sendable () -> Void) { told.whenTold(body) }
}
