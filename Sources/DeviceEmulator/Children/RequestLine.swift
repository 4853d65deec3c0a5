import Foundation
package import HubSender

/// A request to a hub, as one line of JSON; push handles in it are cut.
package struct RequestLine: Codable, Sendable {
    var method: String
    var url: String
    var headers: [[String]]
    var body: String
    var status: Int?

    /// The line of a request that a client has sent, with its answer's status.
    package init(_ request: SentRequest) {
        method = request.method
        url = HandleMask.masked(request.url)
        headers = request.headers.map { [$0.name, HandleMask.masked($0.value)] }
        body = HandleMask.masked(String(decoding: request.body, as: UTF8.self))
        status = request.status
    }

    /// Reads a line; nil for one that is no request.
    init?(json: String) {
        // The backend also writes lines that are not about requests.
        guard let line = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
            return nil
        }
        self = line
    }

    /// The line.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON refuses only numbers that are not finite, and a line has no floating point.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
