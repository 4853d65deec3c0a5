import HubHTTP
import HubREST
import HubTransport
import HubVocabulary
import Hummingbird
import NIOCore

/// A request's context that knows its connection.
struct RESTContext: ConnectionContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    var isConnected: Bool { channel.isActive }

    var executor: (any TaskExecutor)? { LoopExecutor(channel.eventLoop) }

    /// Clients on this machine are not counted.
    ///
    /// Source: rules C.6.
    var network: DeviceID? {
        guard let address = channel.remoteAddress?.ipAddress,
            // A peer without a numeric address is not counted.
            let known = try? SocketAddress(numeric: address, port: 0), !known.isLoopback
        else { return nil }
        return known.network
    }
}
