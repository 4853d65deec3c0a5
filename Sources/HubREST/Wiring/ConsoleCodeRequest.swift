package import HubVocabulary

/// An authorised wish for a code.
package struct ConsoleCodeRequest: Sendable {
    /// The use of a code.
    package enum Purpose: Sendable {
        /// Begins a session of so many hours.
        case signIn(ConsoleRole, hours: Int)
        /// Confirms for some minutes that a session's operator is there.
        case confirm
    }

    /// The use of the code.
    package var purpose: Purpose
    /// The hub to which it is confined; nil for all.
    package var hub: HubName?
    /// The access rule that signed the request.
    package var rule: String
    /// The name that the operator claims.
    package var name: String

    /// Makes one of its parts.
    package init(purpose: Purpose, hub: HubName?, rule: String, name: String) {
        self.purpose = purpose
        self.hub = hub
        self.rule = rule
        self.name = name
    }
}
