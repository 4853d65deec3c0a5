import HubREST
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
}
