import HubRules
import HubVocabulary

/// One access rule in a file.
struct RuleFile: Codable {
    private var name: String
    private var primaryKey: String
    private var secondaryKey: String
    private var rights: [String]
    /// Milliseconds since 1970.
    private var created: UInt64
    private var modified: UInt64
    /// Absent in files of releases before 0.2.0.
    private var primaryMade: UInt64?
    private var secondaryMade: UInt64?

    init(_ rule: HubRule) {
        name = rule.rule.name
        primaryKey = rule.rule.primaryKey
        secondaryKey = rule.rule.secondaryKey
        rights = rule.rule.rights.map(\.name)
        created = rule.created.milliseconds
        modified = rule.modified.milliseconds
        primaryMade = rule.primaryMade.milliseconds
        secondaryMade = rule.secondaryMade.milliseconds
    }

    /// The rule; `path` is that of the file, for the refusal.
    func rule(path: String) throws(ServerError) -> HubRule {
        var known: [AccessRight] = []
        for word in rights {
            guard let right = AccessRight.allCases.first(where: { $0.name == word }) else {
                throw .brokenFile(path: path, reason: "rule '\(name)': no right '\(word)'")
            }
            known.append(right)
        }
        do throws(Refusal) {
            return HubRule(
                try AccessRule(
                    name: name,
                    primaryKey: primaryKey,
                    secondaryKey: secondaryKey,
                    rights: known
                ),
                created: Timestamp(milliseconds: created),
                modified: Timestamp(milliseconds: modified),
                primaryMade: primaryMade.map(Timestamp.init(milliseconds:)),
                secondaryMade: secondaryMade.map(Timestamp.init(milliseconds:))
            )
        } catch {
            throw .brokenFile(path: path, reason: "rule '\(name)': \(error.detail)")
        }
    }
}
