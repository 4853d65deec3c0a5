import Foundation

/// The options with which a backend is started.
package struct BackendOptions: Equatable, Sendable {
    /// The data folder of the hub, whose `connection.json` and certificate are read.
    package var hubData: String
    /// The backend's own folder.
    package var data: String
    /// The file that holds the key of secure payloads; outside of the backend's folder.
    package var keyFile: String
    /// A numeric address.
    package var host = "127.0.0.1"
    /// The port; 0 lets the kernel choose.
    package var port = 8_444
    /// The certificate chain, PEM.
    package var certificateFile: String
    /// Its key, PEM.
    package var certificateKeyFile: String
    /// The limits.
    package var limits = BackendLimits.standard

    /// A backend beside a hub: its folder is the hub's with `-backend`, its key that with `.key`,
    /// and its certificate the hub's own.
    package init(hubData: String, data: String? = nil) {
        let trimmed = Self.trimmed(hubData)
        self.hubData = trimmed
        let own = Self.trimmed(data ?? trimmed + "-backend")
        self.data = own
        keyFile = own + ".key"
        certificateFile = trimmed + "/tls/server.pem"
        certificateKeyFile = trimmed + "/tls/server-key.pem"
    }

    /// The database's file.
    var databaseFile: String { data + "/backend.sqlite" }

    /// The absolute path, so that what is put beside a folder is beside it also when it is `.`.
    private static func trimmed(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
