import Foundation
package import HubDoctor
import HubServer
import HubVocabulary

/// Reads the facts of the settings that a start would read now, and of the certificate they name.
package enum SettingsReading {
    /// Returns them for a data folder.
    package static func facts(
        of data: String
    ) async -> (settings: SettingsFacts, certificate: ShownCertificate?) {
        var facts = SettingsFacts()
        let file = try? FileManager.default.attributesOfItem(atPath: data + "/belfry.json")
        // Without a file nothing of it has changed.
        facts.fileChanged = (file?[.modificationDate] as? Date).map {
            Timestamp(milliseconds: UInt64(max(0, $0.timeIntervalSince1970) * 1_000))
        }
        do {
            let settings = try await ServerSettings.load(flags: [:], data: data)
            facts.values = Dictionary(settings.options.settings.map { ($0.name, $0.value) }) {
                first,
                _ in first
            }
            let files = settings.options.certificate
            let certificate = CertificateReading.facts(
                chain: files.chainFile ?? data + "/tls/server.pem",
                key: files.keyFile ?? data + "/tls/server-key.pem",
                isDevelopment: files.chainFile == nil
            )
            return (facts, certificate)
        } catch {
            facts.mistake = "\(error)"
            return (facts, nil)
        }
    }
}
