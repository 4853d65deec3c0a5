package import HubREST
import HubVocabulary

/// The console's orders from the wiring.
package struct ConsoleConfiguration: Sendable {
    /// Whom to ask.
    package let service: any HubService
    /// Codes and sessions.
    package let signIns: SignIns
    /// Who may reach it.
    package var access = ConsoleAccess.loopback
    /// Names under which the server is reached; with none, every name will do.
    package var names: [String] = []
    /// Limits and names of the REST edge.
    package var rest: RESTConfiguration
    /// Notes an act before it is carried out; false when it cannot be noted.
    package var audit: @Sendable (ConsoleAct) async -> Bool

    /// Makes a console of its parts.
    package init(
        service: any HubService,
        signIns: SignIns,
        rest: RESTConfiguration,
        audit: @escaping @Sendable (ConsoleAct) async -> Bool
    ) {
        self.service = service
        self.signIns = signIns
        self.rest = rest
        self.audit = audit
    }

    /// The same with other limits and names of the REST edge.
    package func with(_ rest: RESTConfiguration) -> ConsoleConfiguration {
        var changed = self
        changed.rest = rest
        return changed
    }

    /// Limits of codes, sessions and forms.
    var limits: ConsoleLimits { signIns.limits }
}
