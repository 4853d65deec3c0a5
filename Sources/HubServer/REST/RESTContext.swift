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

    /// Clients on this machine are not counted; behind a balancer it is who that told.
    ///
    /// Source: rules C.6.
    var network: DeviceID? {
        let known = ToldAddress.current?.address ?? own
        return known.flatMap { $0.isLoopback ? nil : $0.network }
    }

    /// The other end of the connection; nil for a peer without a numeric address.
    private var own: HubTransport.SocketAddress? {
        channel.remoteAddress?.ipAddress.flatMap {
            try? HubTransport.SocketAddress(numeric: $0, port: 0)
        }
    }
}
