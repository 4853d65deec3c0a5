import FoundationEssentials

/// The outcome of asking for a secure payload.
enum SecureFetch {
    private struct Served: Decodable {
        enum CodingKeys: String, CodingKey { case payload = "Payload" }

        var payload: String
    }

    case served(String)
    /// A login, or a backend that is back, may still bring it.
    case later
    /// It is another user's, or gone.
    case never

    /// The meaning of an answer; nil when there was none.
    init(_ exchange: BackendExchange?) {
        switch exchange?.status {
        case 200:  // Another form may come right at a later fetch.
            // An answer of another form may be followed by a better one.
            let served = exchange.flatMap {
                // As above.
                try? JSONDecoder().decode(Served.self, from: Data($0.answer))
            }
            self = served.map { .served($0.payload) } ?? .later
        case 403, 404, 410: self = .never
        default: self = .later
        }
    }
}
