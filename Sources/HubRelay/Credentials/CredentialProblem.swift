/// Why a credential was not taken; names the property and never shows a value.
package enum CredentialProblem: Error, Hashable, Sendable {
    /// A property is missing or wrong.
    case invalid(field: String, reason: String)
    /// A mask stands for another secret than the hub keeps: the credential changed meanwhile.
    case changedMeanwhile(field: String)
    /// A pair of Web Push keys would be replaced, which ends every subscription.
    case endsSubscriptions

    /// The sentence for the caller.
    package var detail: String {
        switch self {
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .changedMeanwhile(let field):
            "\(field): the credential was changed after this description was read; read it again."
        case .endsSubscriptions:
            "BrowserCredential.VapidPublicKey: another key ends every subscription of the hub; "
                + "confirm the change."
        }
    }
}
