package import HubVocabulary

/// Facts of a data folder, of its machine and of its running hub; a part is nil where it is not
/// known.
package struct DoctorFacts: Sendable {
    /// The present time.
    package var now: Timestamp
    /// The release of the command that asks.
    package var release: String
    /// The options that name the server to a command, such as `--data ./data`; empty when the
    /// command finds it without.
    package var options = ""
    /// The data folder and the disk below it.
    package var folder: FolderFacts?
    /// The machine.
    package var machine: MachineFacts?
    /// The settings that a start would read now.
    package var settings: SettingsFacts?
    /// The certificate that clients are shown.
    package var certificate: ShownCertificate?
    /// The running server.
    package var server: ServerFacts?
    /// The database that holds the hubs.
    package var cluster: ClusterFacts?
    /// How the device listener is reached from here.
    package var link: LinkFacts?

    /// Knows nothing but the time.
    package init(now: Timestamp, release: String) {
        self.now = now
        self.release = release
    }

    /// A command that a reader can copy: with the options that name this server, and a hub of it.
    func command(_ words: String, hub: String? = nil) -> String {
        let parts = ["belfry", words, options, hub.map { "--hub \($0)" } ?? ""]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// A text as one word of a shell's command: names may hold what a shell would carry out.
    package static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "/", ":", "@", "%", "+", "=", ",":
                true
            default: false
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
