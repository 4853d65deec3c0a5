package import HubRules
import HubVocabulary

/// The file with the rules that hold for every hub, `namespace.json`: 0600, replaced in one step.
package struct NamespaceFile: Sendable {
    private let path: String

    /// That of a data folder.
    init(folder: DataFolder) { path = folder.file("namespace.json") }

    /// The rules; nil without the file.
    func read() throws(ServerError) -> [HubRule]? {
        guard let files: [RuleFile] = try JSONFile.read(path) else { return nil }
        var rules: [HubRule] = []
        for file in files { rules.append(try file.rule(path: path)) }
        return rules
    }

    /// Makes the first rule of a folder, whose keys no one has yet.
    func make(now: Timestamp) throws(ServerError) -> [HubRule] {
        let made: [AccessRule]
        do throws(Refusal) {
            made = try AccessRule.namespaceDefaults(newKey: HubKeys.newKey)
        } catch {
            throw .brokenFile(path: path, reason: error.detail)
        }
        let rules = made.map { HubRule($0, created: now, modified: now) }
        try write(rules)
        return rules
    }

    /// Replaces the file; durable when it returns.
    package func write(_ rules: [HubRule]) throws(ServerError) {
        try JSONFile.write(rules.map(RuleFile.init), to: path)
    }
}
