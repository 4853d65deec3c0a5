package import HubVocabulary

/// The named values of one credential, as a description or a file gives them.
///
/// Names are compared without case. Azure's Java client writes the word `null` for a property that
/// is not set, so that word counts as absent. Source: REST §14.
package struct CredentialProperties: Hashable, Sendable {
    /// Which credential they are of.
    package let kind: CredentialKind
    /// Names that no contract has; their values are not kept.
    package private(set) var unknownNames: [String] = []

    private var values: [String: RelaySecret] = [:]

    /// Takes the values that the kind knows.
    ///
    /// - Throws: `.invalid` for a name that is there twice.
    package init(
        _ kind: CredentialKind,
        _ given: [(name: String, value: String)]
    ) throws(CredentialProblem) {
        self.kind = kind
        for (name, value) in given {
            let known = kind.properties.first { ASCII.equal($0.utf8, name.utf8) }
            guard let known else {
                unknownNames.append(PlainText.shown(Array(name.utf8).span))
                continue
            }
            guard value != "null" else { continue }
            guard values[known] == nil else {
                throw .invalid(field: "\(kind.rawValue).\(known)", reason: "is there twice.")
            }
            let isEmptyPassword = known == "CertificateKey"
            guard !value.isEmpty || isEmptyPassword else { continue }
            values[known] = RelaySecret(value)
        }
    }

    /// Whether nothing is set, which removes a credential.
    package var isEmpty: Bool { values.isEmpty }

    /// A value without blanks around it; nil when it is absent or empty.
    func text(_ name: String) -> String? {
        guard let value = values[name] else { return nil }
        let text = ASCII.trimmed(value.bytes)
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// A value without blanks around it.
    ///
    /// - Throws: `.invalid` when it is absent or empty.
    func required(_ name: String) throws(CredentialProblem) -> String {
        guard let text = text(name) else {
            throw problem(name, "is missing or empty.")
        }
        return text
    }

    /// The problem of a property.
    func problem(_ name: String, _ reason: String) -> CredentialProblem {
        .invalid(field: "\(kind.rawValue).\(name)", reason: reason)
    }

    /// The values as they are kept, in the contract's order; for the file of keys alone.
    package var stored: [(name: String, value: RelaySecret)] {
        kind.properties.compactMap { name in values[name].map { (name, $0) } }
    }

    /// The values as a reader of the hub gets them: each secret is a mask.
    package func shown(_ hub: HubSecret) -> [(name: String, value: String)] {
        stored.map { name, value in
            let text =
                kind.secrets.contains(name)
                ? value.mask(hub) : String(decoding: value.bytes, as: UTF8.self)
            return (name, text)
        }
    }

    /// These values with the kept secrets in place of their masks.
    ///
    /// - Throws: `.changedMeanwhile` for a mask of another secret.
    package func unmasked(
        by kept: CredentialProperties?,
        _ hub: HubSecret
    ) throws(CredentialProblem) -> CredentialProperties {
        var whole = self
        for name in kind.properties where kind.secrets.contains(name) {
            guard let value = values[name] else { continue }
            let text = String(decoding: value.bytes, as: UTF8.self)
            guard RelaySecret.isMask(text) else { continue }
            guard let old = kept?.values[name], old.mask(hub) == text else {
                throw .changedMeanwhile(field: "\(kind.rawValue).\(name)")
            }
            whole.values[name] = old
        }
        return whole
    }
}
