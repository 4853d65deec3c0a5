import Foundation
import HubClient

/// A request of the backend to the hub, as one line of JSON; push handles in it are cut.
struct RequestLine: Codable {
    var method: String
    var url: String
    var headers: [[String]]
    var body: String
    var status: Int?

    init(_ request: SentRequest) {
        method = request.method
        url = HandleMask.masked(request.url)
        headers = request.headers.map { [$0.name, HandleMask.masked($0.value)] }
        body = HandleMask.masked(String(decoding: request.body, as: UTF8.self))
        status = request.status
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is nothing in it but text and a number.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
