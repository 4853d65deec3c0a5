package import HubRules
package import HubVocabulary

/// The token of a scraper, as text for a file: it opens the server's numbers and nothing else.
///
/// Written at each start and when keys change, without the scheme in front of it, since scrapers
/// are told that apart.
package enum MetricsToken {
    /// The file's name in the data folder.
    package static let fileName = "metrics.token"
    /// The path of what it opens.
    static let path = "$belfry/metrics"
    /// Days after which it expires, unless the server is started again before.
    static let days: UInt64 = 3_650

    /// The rule of a namespace that signs it, the first one that may manage; nil where none may.
    package static func rule(among rules: [HubRule]) -> HubRule? {
        rules.first { $0.rule.rights.contains(.manage) }
    }

    /// The token of a rule with the right to manage, and a line's end.
    package static func text(of rule: HubRule, host: String, now: Timestamp) -> [UInt8] {
        let token = SharedAccessSigner(keyName: rule.rule.name, key: rule.newestKey).token(
            for: "https://\(host)/\(path)",
            expiry: now.adding(seconds: days * 86_400)
        )
        return Array(token.drop { $0 != " " }.dropFirst().utf8) + [UInt8(ascii: "\n")]
    }
}
