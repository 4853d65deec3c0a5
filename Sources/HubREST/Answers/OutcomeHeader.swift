/// The header that tells whether a request that was answered `503` may have been carried out.
///
/// Without it nothing was. A front goes by it when it decides whether it may repeat a request.
/// Source: Hub.docc/REST, Answers in doubt.
package enum OutcomeHeader {
    /// The header's name.
    package static let name = "Belfry-Outcome"
    /// The one value.
    package static let unknown = "unknown"
}
