import Foundation
package import HubData
import HubDatabase
import HubTransport
import HubVocabulary

/// Settings with every file, address and pair that a start would use.
package enum ServableSettings {
    /// Tries what a start does with its settings; nothing is written, and no port stays bound.
    ///
    /// A port that the folder's own hub holds is no fault.
    /// - Throws: the error with which the start would end.
    package static func require(_ settings: ServerSettings) throws(ServerError) {
        let options = settings.options.numeric
        try BelfryServer.checkBind(options)
        _ = try BelfryServer.jobPlaces(options)
        try checkCertificate(options)
        if !options.relay.authority.isEmpty {
            try CertificateChain.requireAuthorities(options.relay.authority, of: "relay.authority")
        }
        try checkPorts(options)
        try options.storage.database?.check()
    }

    private static func checkCertificate(_ options: ServerOptions) throws(ServerError) {
        let authorities = options.certificate.clientAuthoritiesFile
        if let authorities {
            try CertificateChain.requireAuthorities(authorities, of: "client.authorities")
        }
        guard let chain = options.certificate.chainFile, let key = options.certificate.keyFile
        else { return }
        let files = BelfryServer.CertificateFiles(
            certificate: chain,
            key: key,
            authority: nil,
            clientAuthorities: authorities
        )
        _ = try BelfryServer.tls(files)
        _ = try BelfryServer.shown(files)
    }

    /// Binds both ports at once, as a start does.
    private static func checkPorts(_ options: ServerOptions) throws(ServerError) {
        let (rest, devices) = (options.rest, options.devices)
        if rest.port == devices.port, rest.port != 0, rest.host == devices.host {
            throw .listener(name: "REST", reason: "port \(rest.port) is the devices' port too")
        }
        let isRunning = isRunning(options.data)
        func bind(_ name: String, _ host: String, _ port: Int) throws(ServerError) -> Listeners? {
            do throws(TransportError) {
                let address = try SocketAddress(numeric: host, port: UInt16(clamping: port))
                return try Listeners(at: address, count: 1)
            } catch {
                if case .portInUse = error, isRunning { return nil }
                throw .listener(name: name, reason: error.description)
            }
        }
        let held = try bind("device", devices.host, devices.port)
        _ = try bind("REST", rest.host, rest.port)
        withExtendedLifetime(held) {}
    }

    /// Whether a hub holds the folder.
    private static func isRunning(_ data: String) -> Bool {
        guard FileManager.default.fileExists(atPath: data) else { return false }
        do throws(ServerError) {
            try DataFolder(path: data).release()
            return false
        } catch {
            guard case .folderInUse = error else { return false }
            return true
        }
    }
}
