package import HubVocabulary

/// Who asks: the rights of the token and the rule it was signed with.
package struct AccessGrant: Hashable, Sendable {
    /// The access rule's name.
    package var rule: String
    /// Raw values of `AccessRight`, or-ed.
    package var rights: UInt8
    /// The network that the request came from, where it is counted.
    package var network: DeviceID?

    /// Makes a grant.
    package init(rule: String, rights: [AccessRight]) {
        self.rule = rule
        self.rights = rights.reduce(0) { $0 | $1.rawValue }
    }

    /// Whether the token carries a right.
    package func has(_ right: AccessRight) -> Bool { rights & right.rawValue != 0 }
}
