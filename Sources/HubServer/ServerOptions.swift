package import HubCore
package import HubTransport

/// What a server is started with; every field has a default but the data folder.
package struct ServerOptions: Sendable {
    /// The folder with keys, certificates and stores; made when missing.
    package var data: String
    /// Address of the REST listener.
    package var restHost = "127.0.0.1"
    /// Port of the REST listener; 0 picks a free one.
    package var restPort = 8_443
    /// Address of the device listener.
    package var deviceHost = "127.0.0.1"
    /// Port of the device listener; 0 picks a free one.
    package var devicePort = 9_443
    /// Threads that serve devices; 0 is one per core.
    package var shards = 0
    /// Hubs to make when the folder has none.
    package var hubs = ["hub"]
    /// Names under which clients know the server, besides localhost and the bound addresses.
    package var names: [String] = []
    /// Certificate chain and key for both listeners; nil uses the development authority's.
    package var certificateFile: String?
    package var keyFile: String?
    /// Authorities whose client certificates prove devices; nil asks for none.
    package var clientAuthoritiesFile: String?
    /// Whether a bind that others can reach was confirmed. Source: design §6.
    package var isPublicBindConfirmed = false
    /// Restores the cloud's behaviour for Listen tokens. Source: rules C.3.
    package var listenMaySetProtectedTags = false
    /// Seconds over which devices come back after a drain.
    package var drainSpreadSeconds = 30
    /// Limits of the core.
    package var coreLimits = CoreLimits()
    /// Limits of device sessions.
    package var sessionLimits = SessionLimits()
    /// Limits of the device transport.
    package var transportLimits = TransportLimits.standard

    /// The defaults, for a folder.
    package init(data: String) { self.data = data }
}

/// Why a server did not start or had to stop; one readable line for the operator.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    /// The folder or a file in it cannot be used.
    case folder(path: String, reason: String)
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// A file in the folder does not say what it should.
    case brokenFile(path: String, reason: String)
    /// A listener could not be opened.
    case listener(name: String, reason: String)
    /// The certificate or key cannot be used.
    case certificate(reason: String)
    /// The store of a hub cannot be opened.
    case store(hub: String, reason: String)
    /// A hub's name cannot be used.
    case hubName(String)
    /// A bind that others can reach needs confirmation.
    case publicBind(host: String)

    package var description: String {
        switch self {
        case .folder(let path, let reason): "cannot use \(path): \(reason)"
        case .folderInUse(let path): "\(path) is in use by another belfry process"
        case .brokenFile(let path, let reason): "\(path): \(reason)"
        case .listener(let name, let reason): "\(name) listener: \(reason)"
        case .certificate(let reason): "certificate: \(reason)"
        case .store(let hub, let reason): "store of hub '\(hub)': \(reason)"
        case .hubName(let name):
            "'\(name)' is no hub name; use letters, digits, '.', '_' and '-'"
        case .publicBind(let host):
            "\(host) can be reached from other machines; check keys and certificate, then start "
                + "again with --confirm-public-bind"
        }
    }
}
