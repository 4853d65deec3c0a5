package import HummingbirdCore
package import Logging
package import NIOCore
import NIOSSL

/// An HTTP channel over TLS with a `ConnectionGuard` between the two.
package struct GuardedChannel<Base: HTTPChannelHandler>: HTTPChannelHandler {
    private let base: Base
    private let times: ConnectionTimes
    private let places: ConnectionPlaces?
    private let prepare: @Sendable (any Channel) throws -> Void

    /// Guards a channel.
    ///
    /// - Parameters:
    ///   - base: the channel; it or `prepare` adds the handler of TLS.
    ///   - times: what each connection has.
    ///   - places: the places of all connections; nil where each may stay.
    ///   - prepare: is given each connection before `base` is.
    package init(
        _ base: Base,
        times: ConnectionTimes,
        places: ConnectionPlaces? = nil,
        prepare: @escaping @Sendable (any Channel) throws -> Void
    ) {
        self.base = base
        self.times = times
        self.places = places
        self.prepare = prepare
    }

    /// The code that answers requests.
    package var responder: Responder { base.responder }

    /// Prepares a connection, and puts the guard behind its TLS.
    package func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture { [prepare] in
            try prepare(channel)
        }.flatMap { [base] in
            base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { [times, places] value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            let guarding = ConnectionGuard(times, places: places)
            try pipeline.addHandler(guarding, position: .after(tls))
            return value
        }
    }

    /// Serves a connection until its end.
    package func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
