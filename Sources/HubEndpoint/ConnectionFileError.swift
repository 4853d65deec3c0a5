/// Why a hub's `connection.json` cannot be used.
public enum ConnectionFileError: Error, Equatable, Sendable {
    /// There is none: the hub does not run, or the folder is another.
    case missing(path: String)
    /// It is there and cannot be read.
    case unreadable(path: String)
    /// It is not the expected JSON; names the field where that is known.
    case malformed(path: String, field: String)
}

extension ConnectionFileError: CustomStringConvertible {
    /// One readable line.
    public var description: String {
        switch self {
        case .missing(let path): "there is no \(path): is the hub running with this folder?"
        case .unreadable(let path): "cannot read \(path)"
        case .malformed(let path, let field):
            field.isEmpty
                ? "\(path) is not a connection file" : "\(path): '\(field)' is missing or wrong"
        }
    }
}
