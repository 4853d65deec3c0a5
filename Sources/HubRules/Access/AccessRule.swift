import Crypto
package import HubVocabulary

/// A named pair of keys with rights: what connection strings carry.
///
/// Source: REST reference §3.5.
package struct AccessRule: Sendable, CustomStringConvertible {
    /// At most 256 characters, unique within its level.
    package let name: String
    /// The text of the first key.
    package let primaryKey: String
    /// The text of the second key, for changing keys without a break.
    package let secondaryKey: String
    /// The rights of tokens that are signed with it, ascending; Manage brings the other two.
    package let rights: [AccessRight]
    /// The last use of the first key.
    package let primaryUse: KeyUse
    /// The last use of the second key.
    package let secondaryUse: KeyUse

    let signingKeys: [SymmetricKey]

    /// Makes a rule.
    ///
    /// A key that it shares with `old` keeps its last use.
    /// - Throws: `.invalid` naming what is empty or too long, or that no right is given.
    package init(
        name: String,
        primaryKey: String,
        secondaryKey: String,
        rights: [AccessRight],
        after old: AccessRule? = nil,
        limits: CoreLimits = .standard
    ) throws(Refusal) {
        for (field, text) in [
            ("KeyName", name), ("PrimaryKey", primaryKey), ("SecondaryKey", secondaryKey),
        ] where text.isEmpty || text.unicodeScalars.count > limits.namespace.accessTextMax {
            throw .invalid(
                field: field,
                reason: "must have 1 to \(limits.namespace.accessTextMax) characters"
            )
        }
        guard !rights.isEmpty else {
            throw .invalid(field: "Rights", reason: "name at least one of Listen, Send, Manage")
        }
        self.name = name
        self.primaryKey = primaryKey
        self.secondaryKey = secondaryKey
        self.rights = AccessRight.allCases.filter {
            rights.contains($0) || rights.contains(.manage)
        }
        let isPrimaryKept = old?.primaryKey == primaryKey
        let isSecondaryKept = old?.secondaryKey == secondaryKey
        primaryUse = old.flatMap { isPrimaryKept ? $0.primaryUse : nil } ?? KeyUse()
        secondaryUse = old.flatMap { isSecondaryKept ? $0.secondaryUse : nil } ?? KeyUse()
        signingKeys = [primaryKey, secondaryKey].map(SharedAccessSigner.signingKey)
    }

    /// The name and the rights; never a key.
    package var description: String {
        "\(name) (\(rights.map(\.name).joined(separator: ", ")))"
    }
}

extension AccessRule {
    /// Name of the rule with every right on one hub.
    package static let fullName = "DefaultFullSharedAccessSignature"
    /// Name of the rule with the Listen right on one hub.
    package static let listenName = "DefaultListenSharedAccessSignature"
    /// Name of the rule with the Send right on one hub.
    package static let sendName = "DefaultSendSharedAccessSignature"
    /// Name of the rule with every right on every hub.
    package static let rootName = "RootManageSharedAccessKey"

    /// Bytes of randomness behind a key's text.
    package static let keyBytes = 32

    /// The text of a new key: base64 of exactly 32 random bytes.
    package static func keyText(random: [UInt8]) -> String {
        precondition(random.count == keyBytes, "A key needs 32 random bytes.")
        return Base64.encode(random)
    }

    /// The rules of a new hub: full, listen, send; `newKey` is called twice for each.
    package static func hubDefaults(newKey: () -> String) throws(Refusal) -> [AccessRule] {
        var rules: [AccessRule] = []
        for (name, rights) in [
            (fullName, AccessRight.allCases), (listenName, [.listen]), (sendName, [.send]),
        ] {
            rules.append(
                try AccessRule(
                    name: name,
                    primaryKey: newKey(),
                    secondaryKey: newKey(),
                    rights: rights
                )
            )
        }
        return rules
    }

    /// The rule of a new namespace; `newKey` is called twice.
    package static func namespaceDefaults(newKey: () -> String) throws(Refusal) -> [AccessRule] {
        [
            try AccessRule(
                name: rootName,
                primaryKey: newKey(),
                secondaryKey: newKey(),
                rights: AccessRight.allCases
            )
        ]
    }
}
