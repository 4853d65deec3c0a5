import Dispatch
import Foundation
import Synchronization

/// Hears SIGTERM, SIGINT and SIGHUP while a node goes from waiting to leading: the services of both
/// hear some of them, and none is there between.
package final class EndSignals {
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

    private let ends = Told()
    private let hangups = Told()
    private let sources: [any DispatchSourceSignal]

    /// Hears them from now on.
    package init() {
        let heard = [(SIGTERM, ends), (SIGINT, ends), (SIGHUP, hangups)]
        sources = heard.map { number, told in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { told.tell() }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Has each SIGTERM and SIGINT told from now on, and at once one that has come.
    package func whenTold(_ body: @escaping @Sendable () -> Void) { ends.whenTold(body) }

    /// The same of SIGHUP; without it nothing follows from one.
    package func whenHungUp(_ body: @escaping @Sendable () -> Void) { hangups.whenTold(body) }
}
