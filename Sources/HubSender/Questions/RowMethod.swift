/// How a row of the REST API is asked; raw values are those of HTTP.
package enum RowMethod: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Makes or replaces.
    case put = "PUT"
    /// Does something.
    case post = "POST"
    /// Removes.
    case delete = "DELETE"
}
