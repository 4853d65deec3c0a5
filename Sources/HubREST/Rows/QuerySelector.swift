/// Selects among rows of one method and path by the query.
package enum QuerySelector: Hashable, Sendable {
    /// Anything; the last row of its method and path.
    case always
    /// A field is there, whatever its value, such as `$filter`; the name is in lower case.
    case present(String)
    /// A flag is on, such as `direct`; the name is in lower case.
    ///
    /// Source: REST §2.1.
    case flag(String)

    func selects(_ target: RequestTarget) -> Bool {
        switch self {
        case .always: true
        case .present(let name): target.value(name) != nil
        case .flag(let name): target.flag(name)
        }
    }
}
