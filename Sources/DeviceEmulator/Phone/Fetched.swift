/// The part of a notification that the phone shows.
enum Fetched: Sendable {
    case nothing
    case text(String)
    case rich(id: Int, message: String, BackendExchange)
    case secure(id: Int, payload: String)
    /// Without a login it cannot be read.
    case locked(id: Int)
}
