package import HubVocabulary

/// The credentials of one hub, at most one of each kind.
package struct CredentialSet: Sendable {
    /// One of them, and since when.
    package struct Entry: Sendable {
        /// As it is kept.
        package let properties: CredentialProperties
        /// As it is used.
        package let credential: RelayCredential
        /// The place in the log before which nothing is relayed with it.
        package let since: LogPlace
    }

    /// A request's word about one kind.
    package enum Change: Sendable {
        /// These properties, perhaps with masks.
        case set(CredentialProperties)
        /// No credential any more.
        case remove
    }

    /// A change that was checked: the credentials to keep, and notes for the operator.
    package struct Changed: Sendable {
        /// The credentials to keep.
        package var credentials: CredentialSet
        /// Properties that are unusual, ignored or not used.
        package var warnings: [String]
    }

    private var entries: [CredentialKind: Entry] = [:]

    /// None.
    package init() {}

    /// Those that a file keeps; one that is not right any more is kept as broken.
    package init(
        stored: [(properties: CredentialProperties, since: LogPlace)],
        now: Timestamp,
        open: (_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts?
    ) {
        for (properties, since) in stored {
            let credential: RelayCredential
            do throws(CredentialProblem) {
                credential = try RelayCredential(properties, now: now, open: open)
            } catch { credential = .broken(error) }
            entries[properties.kind] = Entry(
                properties: properties,
                credential: credential,
                since: since
            )
        }
    }

    /// The credential of a kind.
    package subscript(_ kind: CredentialKind) -> Entry? { entries[kind] }

    /// All, in the order of writing.
    package var all: [Entry] { CredentialKind.allCases.compactMap { entries[$0] } }

    /// These with some of them set or removed; a kind that no change names stays.
    ///
    /// Azure removes what a request does not name. Here it stays, because clients that do not know
    /// a newer element would remove it.
    /// - Throws: the first problem; nothing is changed then.
    package func changed(
        by changes: [CredentialKind: Change],
        hub: HubSecret,
        now: Timestamp,
        place: LogPlace,
        confirmsNewKeys: Bool = false,
        open: (_ bundle: [UInt8], _ password: [UInt8]) -> CertificateFacts?
    ) throws(CredentialProblem) -> Changed {
        var result = Changed(credentials: self, warnings: [])
        for kind in CredentialKind.allCases {
            guard let change = changes[kind] else { continue }
            guard case .set(let given) = change, !given.isEmpty else {
                result.credentials.entries[kind] = nil
                continue
            }
            let old = entries[kind]
            let properties = try given.unmasked(by: old?.properties, hub)
            let credential = try RelayCredential(properties, now: now, open: open)
            if kind == .browser, let old, old.credential.identity != credential.identity,
                !confirmsNewKeys
            {
                throw .endsSubscriptions
            }
            result.credentials.entries[kind] = Entry(
                properties: properties,
                credential: credential,
                since: old?.since ?? place
            )
            result.warnings += Self.warnings(given, credential, now: now)
        }
        return result
    }

    private static func warnings(
        _ properties: CredentialProperties,
        _ credential: RelayCredential,
        now: Timestamp
    ) -> [String] {
        var warnings = properties.unknownNames.map { "\($0) is unknown and was not kept" }
        if let reason = properties.kind.unusedBecause { warnings.append("is not used: \(reason)") }
        if case .apple(let apple) = credential { warnings += apple.warnings(now: now) }
        return warnings.map { "\(properties.kind.rawValue) \($0)" }
    }
}
