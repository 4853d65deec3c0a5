/// Where a verdict comes from, which says how far it is believed.
package enum VerdictSource: Hashable, Sendable {
    /// Belfry's own, before any request was made.
    case belfry
    /// A host that the registration chose: it speaks of that registration alone.
    case chosenHost
    /// The service's own host; whether every device of the record gets the content that it judged.
    case service(sharesContent: Bool)
}
