package import HummingbirdCore
package import Logging
package import NIOCore

/// An HTTP channel whose requests know whom their balancer told.
package struct ProxiedChannel<Base: HTTPChannelHandler>: HTTPChannelHandler {
    private let base: Base
    private let rules: ProxyRules

    /// Serves what `base` serves, which gives each connection to the rules.
    package init(_ base: Base, _ rules: ProxyRules) {
        self.base = base
        self.rules = rules
    }

    /// The code that answers requests.
    package var responder: Responder { base.responder }

    /// Prepares a connection.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    /// Serves a connection until its end.
    package func handle(value: Base.Value, logger: Logger) async {
        guard !rules.isEmpty, let told = await Self.told(of: value.channel) else {
            return await base.handle(value: value, logger: logger)
        }
        await ToldAddress.$current.withValue(told) {
            await base.handle(value: value, logger: logger)
        }
    }

    /// Nil for a connection that no balancer made.
    private static func told(of channel: any Channel) async -> ToldAddress? {
        let found = channel.eventLoop.submit {
            // Fails where the pipeline has no such handler.
            try channel.pipeline.syncOperations.handler(type: ProxyHandler.self).told
        }
        // As above: no balancer made the connection.
        return try? await found.get()
    }
}
