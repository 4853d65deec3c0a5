import HubVocabulary

/// A request as a fake got it: names of headers in lower case.
package struct FakeRequest: Sendable {
    /// The method.
    package var method: String
    /// Host and port that the client asked for.
    package var authority: String
    /// Path and query.
    package var path: String
    /// In the order of arrival, without HTTP/2's own.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: [UInt8]
    /// The connection, counted from 1.
    package var connection: Int
    /// The stream of HTTP/2; the number of the request for HTTP/1.1.
    package var stream: Int
    /// The app that the client's certificate names.
    package var certifiedTopic: String?

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The path's parts, without the query.
    var parts: [String] {
        path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    }

    /// The word behind a scheme in `authorization`.
    func authorization(_ scheme: String) -> String? {
        guard let value = self["authorization"], value.lowercased().hasPrefix(scheme + " ") else {
            return nil
        }
        return String(value.dropFirst(scheme.count + 1))
    }
}
