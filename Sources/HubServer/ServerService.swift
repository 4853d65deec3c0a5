import HubModel
import HubREST
import HubRules
import HubVocabulary

/// The server as REST sees it.
struct ServerService: HubService {
    let roster: HubRoster
    let numbers: @Sendable () async -> String

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try roster.authorize(request)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try roster.authorizeNamespace(request)
    }

    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    ) {
        roster.submit(command, to: hub, reply: reply)
    }

    func submit(
        _ command: NamespaceCommand,
        reply: @escaping @Sendable (Result<NamespaceReply, Refusal>) -> Void
    ) {
        roster.submit(command, reply: reply)
    }

    func linkSigner(of hub: HubName) -> LinkSigner? { roster.linkSigner(of: hub) }

    func metrics(reply: @escaping @Sendable (String) -> Void) {
        Task { reply(await numbers()) }
    }

    var now: Timestamp { Clock.now.time }

    var problems: [String] { roster.problems }
}
