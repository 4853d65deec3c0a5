import Foundation
import HubDatabase
import HubDelivery
import HubHTTP
import HubTransport
import HubVocabulary
import Logging

/// Certificate and settings are read again at SIGHUP.
extension BelfryServer {
    /// Reads certificate, key and settings again on SIGHUP; connections that stand are not touched.
    func watchHangup() -> any DispatchSourceSignal {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { [self] in
            reloadCertificate()
            Task { await reloadSettings() }
        }
        source.resume()
        return source
    }

    /// Shows the certificate that the files hold now; on an error the old one stays.
    package func reloadCertificate() {
        do {
            let tls = try Self.tls(certificate)
            try restCertificate.reload()
            for shard in mailboxes.all {
                let order = ShardOrder.certificate(tls) { [self] error in notReloaded("\(error)") }
                if shard.mailbox.post(.order(order)) != .posted {
                    notReloaded("a shard takes no mail")
                }
            }
            logger.notice("certificate reloaded")
        } catch {
            notReloaded("\(error)")
        }
    }

    private func notReloaded(_ reason: String) {
        logger.error(
            "certificate not reloaded, the old one stays",
            metadata: ["reason": "\(reason)"]
        )
    }

    /// Takes level and limits from the settings of now, and says which others need a restart.
    package func reloadSettings() async {
        guard let reloading = options.reloading else { return }
        do {
            let fresh = try await reloading.settings()
            reloading.level.present = fresh.logLevel
            let (taken, waiting) = roster.take(fresh.options)
            roster.launcher.database?.holds(Self.deciding(roster.settings))
            for change in taken {
                logger.notice(
                    "setting changed",
                    metadata: [
                        "setting": "\(change.name)", "from": "\(change.from)",
                        "to": "\(change.to)",
                    ]
                )
            }
            if !waiting.isEmpty {
                let names = waiting.map(\.name).joined(separator: " ")
                logger.warning(
                    "settings differ that are read at the start alone: restart the server",
                    metadata: ["settings": "\(names)"]
                )
            }
        } catch {
            logger.error(
                "settings not reloaded, the old ones stay",
                metadata: ["reason": "\(error)"]
            )
        }
    }
}
