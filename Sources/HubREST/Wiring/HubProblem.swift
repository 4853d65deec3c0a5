package import HubVocabulary

/// Why a hub does not accept sends.
package struct HubProblem: Equatable, Sendable, CustomStringConvertible {
    /// The hub, which only those may know who may see it.
    package var hub: HubName
    /// A few words for everyone: no hub, no path.
    package var cause: String
    /// The same with what an operator needs besides.
    package var detail: String

    /// Makes one of its parts.
    package init(hub: HubName, cause: String, detail: String) {
        self.hub = hub
        self.cause = cause
        self.detail = detail
    }

    /// One readable line for those who may see the hub.
    package var description: String { "hub '\(hub)': \(detail)" }
}
