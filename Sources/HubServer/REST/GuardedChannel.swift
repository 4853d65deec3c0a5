import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL

/// The HTTP/2 upgrade channel with a guard behind TLS, for as many connections of an address as it
/// may have.
struct GuardedChannel: HTTPChannelHandler {
    private let base: HTTP2UpgradeChannel
    private let limits: RESTLimits
    private let addresses: AddressConnections
    private let onRefused: @Sendable () -> Void

    /// `onRefused` is told of each connection that its address has no place for.
    init(
        _ base: HTTP2UpgradeChannel,
        limits: RESTLimits,
        onRefused: @escaping @Sendable () -> Void
    ) {
        self.base = base
        self.limits = limits
        self.onRefused = onRefused
        addresses = AddressConnections(limits: limits)
    }

    var responder: Responder { base.responder }

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        admit(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { [limits] value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(ConnectionGuard(limits: limits), position: .after(tls))
            return value
        }
    }

    func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    /// Counts a connection, or has it closed as soon as it is set up: a failure of its set-up would
    /// be one of the listener's.
    private func admit(_ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress
        guard addresses.enter(address) else {
            onRefused()
            return channel.eventLoop.execute { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { [addresses] _ in addresses.leave(address) }
    }
}
