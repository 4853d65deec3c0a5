import Foundation

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
            guard let data = Data(base64Encoded: value), let colon = data.firstIndex(of: 0x3A),
                let name = String(validating: data[..<colon], as: UTF8.self)
            else { return nil }
            self = .basic(name: name, password: [UInt8](data[data.index(after: colon)...]))
        case "bearer":
            guard !value.isEmpty else { return nil }
            self = .bearer(value)
        default: return nil
        }
    }
}
