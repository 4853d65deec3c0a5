import HubFront
import HubHTTP
import HubREST
import HubTransport
import HubVocabulary
import Hummingbird
import NIOCore

/// A request's context that knows its connection.
struct RESTContext: FrontContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The client, where a front has carried its request here; nil where it is connected itself.
    var carried: FrontProof.Client?
    /// The body, where it came with the request.
    var wholeBody: ByteBuffer?

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    var isConnected: Bool { channel.isActive }

    var executor: (any TaskExecutor)? { LoopExecutor.of(channel.eventLoop) }

    /// Clients on this machine are not counted; behind a balancer it is who that told.
    ///
    /// Source: rules C.6.
    var network: DeviceID? {
        client.flatMap { $0.isLoopback ? nil : $0.network }
    }

    var clientAddress: String? { client?.host }

    /// The client, as a front or a balancer told, or as it is connected; nil for one without a numeric
    /// address.
    private var client: HubTransport.SocketAddress? {
        guard let carried else { return ToldAddress.current?.address ?? own }
        // One that is not numeric is counted by no limit.
        return carried.address.flatMap { try? HubTransport.SocketAddress(numeric: $0, port: 0) }
    }

    /// The other end of the connection; nil for a peer without a numeric address.
    var own: HubTransport.SocketAddress? {
        channel.remoteAddress?.ipAddress.flatMap {
            // As the comment says.
            try? HubTransport.SocketAddress(numeric: $0, port: 0)
        }
    }
}
