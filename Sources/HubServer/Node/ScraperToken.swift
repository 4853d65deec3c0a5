import HubData
import HubRules
import HubTransport
import HubVocabulary
import Synchronization

/// The token in a data folder that lets a scraper read the node's numbers; it follows the keys.
final class ScraperToken: Sendable {
    private let folder: DataFolder
    private let host: String
    /// The key that the file's token is made of.
    private let key = Mutex<String?>(nil)

    /// One for the node at `host`, which is a name and a port.
    init(_ folder: DataFolder, host: String) {
        self.folder = folder
        self.host = host
    }

    /// Writes it where the key of its rule is another than that of the last time; without a rule of
    /// the namespace that may manage, what there is stays.
    ///
    /// - Throws: `ServerError` when the file cannot be written.
    func follow(_ rules: [HubRule]) throws(ServerError) {
        guard let rule = MetricsToken.rule(among: rules) else { return }
        let newest = rule.newestKey
        guard key.withLock({ $0 != newest }) else { return }
        let token = MetricsToken.text(of: rule, host: host, now: Clock.now.time)
        try DataFolder.write(token, to: folder.file(MetricsToken.fileName))
        key.withLock { $0 = newest }
    }
}
