import Foundation
import HubVocabulary

/// The credentials of an `Authorization` header.
enum Credentials: Equatable, Sendable {
    /// Name and password, split at the first colon.
    case basic(name: String, password: [UInt8])
    /// An access token of a login.
    case bearer(String)

    /// Reads a header; nil for anything else.
    ///
    /// Schemes are compared without case.
    init?(_ header: String) {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "basic":
            guard let data = Base64.decode(Array(value.utf8)),
                let colon = data.firstIndex(of: UInt8(ascii: ":")),
                let name = String(validating: data[..<colon], as: UTF8.self)
            else { return nil }
            self = .basic(name: name, password: Array(data[(colon + 1)...]))
        case "bearer":
            guard !value.isEmpty else { return nil }
            self = .bearer(value)
        default: return nil
        }
    }
}
