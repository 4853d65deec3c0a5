package import HubDatabase
package import HubMetrics
import HubTransport
package import HubVocabulary

/// The options of a server; every field has a default but the data folder.
package struct ServerOptions: Sendable {
    /// The folder with keys, certificates and stores; made when missing.
    package var data: String
    /// Where and how REST is served.
    package var rest = RESTOptions()
    /// Where and how devices are served.
    package var devices = DeviceOptions()
    /// The certificate that both listeners show.
    package var certificate = CertificateOptions()
    /// Hubs to make when the folder has none.
    package var hubs = ["hub"]
    /// Names under which clients know the server, besides localhost and the bound addresses.
    package var names: [String] = []
    /// Whether a bind that others can reach was confirmed.
    ///
    /// Source: README.md, Configuration.
    package var isPublicBindConfirmed = false
    /// Restores the cloud's behaviour for Listen tokens.
    ///
    /// Source: rules C.3.
    package var listenMaySetProtectedTags = false
    /// Addresses at or below which bulk jobs may read and write, besides a folder of their hub.
    ///
    /// Source: REST §13.
    package var jobURLs: [String] = []
    /// Whether a crash may leave keys in a core dump.
    package var allowsCoreDumps = true
    /// How hubs reach push services.
    package var relay = RelayOptions()
    /// Limits of the core.
    package var coreLimits = CoreLimits()
    /// Where and how hubs are stored.
    package var storage = StorageOptions()
    /// Every setting with its origin, as operators are told; empty where none was read.
    package var settings: [ServerSetting] = []
    /// How settings are read again at SIGHUP; nil reads the certificate alone.
    package var reloading: Reloading?
    /// Where the numbers are that operators read.
    package var metrics = MetricRegistry()

    /// The defaults, for a folder.
    package init(data: String) { self.data = data }

    /// Files that all connections, stores and threads may need open at once.
    var openFilesMax: Int {
        devices.transportLimits.connections + rest.limits.connections + 1_024
    }

    /// With `localhost` as the address that both listeners can bind.
    var numeric: ServerOptions {
        var numeric = self
        if rest.host == "localhost" { numeric.rest.host = "127.0.0.1" }
        if devices.host == "localhost" { numeric.devices.host = "127.0.0.1" }
        return numeric
    }
}
