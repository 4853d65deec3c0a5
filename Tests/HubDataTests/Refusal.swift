import HubData
import Testing

/// Returns the error with which a body is refused.
func refusal(
    of body: () throws -> Void,
    _ location: SourceLocation = #_sourceLocation
) throws -> ServerError {
    try #require(throws: ServerError.self, sourceLocation: location, performing: body)
}
