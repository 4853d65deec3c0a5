/// A mistake in a connection string; never holds any of its text but a part's name.
public enum ConnectionStringError: Error, Equatable, Sendable {
    /// A part has no `=`.
    case partWithoutValue
    /// A needed part is not there or empty.
    case missing(String)
    /// The endpoint's scheme is neither `sb` nor `https`.
    case schemeUnsupported(String)
    /// The endpoint is not a host with an optional port.
    case endpointMalformed
}

extension ConnectionStringError: CustomStringConvertible {
    /// One readable line without secrets.
    public var description: String {
        switch self {
        case .partWithoutValue: "connection string: a part has no '='"
        case .missing(let name): "connection string: \(name) is missing"
        case .schemeUnsupported(let scheme):
            "connection string: the endpoint's scheme '\(scheme)' is not sb"
        case .endpointMalformed: "connection string: the endpoint is not sb://host[:port]/"
        }
    }
}
