package import HubREST

/// One page, or one effect of a page: everything that finding, admitting, auditing and testing a
/// request need to know of it.
package struct PageRow: Sendable {
    /// Answers a request of a signed-in operator.
    typealias Handler = @Sendable (PageVisit) async throws(RequestFailure) -> PageAnswer

    /// The part of the server that a session must reach.
    package enum Reach: Sendable {
        /// The hub that the path names; of a path without one, nothing.
        case hub
        /// The server with all its hubs.
        case server
    }

    /// The name: letters only, unique.
    package let name: String
    /// `GET`, or `POST` for an effect.
    package let method: String
    /// Where it is found.
    package let path: PathPattern
    /// The least that a session must be allowed.
    package let role: ConsoleRole
    /// The part that the session must reach.
    package let reach: Reach
    /// The REST rows whose answers it shows, or whose effect it has.
    package let shows: [String]
    /// The audit's word for it; nil when it only reads.
    package let audit: String?
    /// The fields of its form that the audit names; never a body, a key or digits.
    package let auditFields: [String]
    /// Whether the operator must have confirmed a short time ago.
    package let needsConfirmation: Bool
    let run: Handler

    /// A page that reads.
    init(
        _ name: String,
        _ path: PathPattern,
        for role: ConsoleRole = .viewer,
        reach: Reach = .hub,
        shows: [String] = [],
        run: @escaping Handler
    ) {
        self.name = name
        method = "GET"
        self.path = path
        self.role = role
        self.reach = reach
        self.shows = shows
        audit = nil
        auditFields = []
        needsConfirmation = false
        self.run = run
    }

    /// A form: an effect, or a question that is too long for an address.
    init(
        post name: String,
        _ path: PathPattern,
        for role: ConsoleRole,
        reach: Reach = .hub,
        shows: [String] = [],
        audit: String?,
        naming auditFields: [String] = [],
        needsConfirmation: Bool = false,
        run: @escaping Handler
    ) {
        self.name = name
        method = "POST"
        self.path = path
        self.role = role
        self.reach = reach
        self.shows = shows
        self.audit = audit
        self.auditFields = auditFields
        self.needsConfirmation = needsConfirmation
        self.run = run
    }
}
