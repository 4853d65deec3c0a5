/// Limits of requests with many handles, or with many sends.
package struct BatchLimits: Equatable, Sendable {
    /// Bytes of a batch send's body: 1,000 handles of about a thousand bytes, and the payload.
    ///
    /// Source: rules A.7, C.5.
    package var batchBodyBytesMax = 1_048_576
    /// Lines of a request with many sends.
    ///
    /// The hub's writer commits them in groups of `groupMax`, others' work between them.
    package var sendLinesMax = 1_000
    /// Bytes of the body of such a request.
    package var sendLinesBytesMax = 4_194_304
    /// Headers of one of its lines.
    package var sendLineHeadersMax = 64

    /// The defaults.
    package init() {}
}
