import AsyncHTTPClient
import Hummingbird
import NIOHTTP1

/// The headers of requests and answers, as they go through a front.
enum CarriedHead {
    /// Headers of one connection alone, and those that are written anew on the other one.
    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "expect", "content-length", "host",
    ]
    /// Headers that a server writes about itself.
    private static let ofServer: Set<String> = ["date", "server"]

    /// A client's headers for the leader, with what the front says of it.
    static func request(_ request: Request, proof: String, client: String?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in request.headers {
            guard isCarried(field.name.canonicalName) else { continue }
            headers.add(name: field.name.rawName, value: field.value)
        }
        // As the client wrote it: answers name addresses under it.
        if let host = request.head.authority { headers.add(name: "Host", value: host) }
        headers.add(name: "Forwarded", value: "for=\(forwarded(client))")
        headers.add(name: FrontProof.header, value: proof)
        return headers
    }

    /// Whether a client's header with this name in lower case goes to the leader.
    static func isCarried(_ name: String) -> Bool {
        !ofConnection.contains(name) && name != "forwarded"
    }

    /// Whether a leader's header with this name in lower case goes to the client.
    static func isPassed(_ name: String) -> Bool {
        !ofConnection.contains(name) && !ofServer.contains(name)
    }

    private static func forwarded(_ client: String?) -> String {
        guard let client else { return "unknown" }
        return client.contains(":") ? "\"[\(client)]\"" : client
    }

    /// A leader's headers for the client.
    static func answer(_ headers: HTTPHeaders) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            guard isPassed(name.lowercased()), let name = HTTPFields.Element.Name(name) else {
                continue
            }
            fields.append(HTTPFields.Element(name: name, value: value))
        }
        return fields
    }
}
