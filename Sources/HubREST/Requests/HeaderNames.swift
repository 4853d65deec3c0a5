import Hummingbird

/// The names of headers that each answer has, read once.
enum HeaderNames {
    /// A request's name, as its caller gave it or hears it.
    static let tracking = name("TrackingId")
    /// A request's second name.
    static let correlation = name("x-ms-correlation-request-id")
    /// Keeps browsers from guessing.
    static let typeOptions = name("X-Content-Type-Options")

    private static func name(_ text: String) -> HTTPFields.Element.Name {
        guard let name = HTTPFields.Element.Name(text) else {
            preconditionFailure("letters and dashes are a name of a header")
        }
        return name
    }
}
