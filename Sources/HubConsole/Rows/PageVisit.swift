import HubAtom
import HubModel
import HubREST
import HubVocabulary

/// One admitted request of a signed-in operator.
struct PageVisit: Sendable {
    /// The console's configuration.
    let console: ConsoleConfiguration
    /// The request's head.
    let incoming: IncomingRequest
    /// The path it was found under.
    let path: PathPattern
    /// The operator.
    let session: ConsoleSession
    /// Whether the operator has confirmed a short time ago.
    let isFresh: Bool
    /// The token of the session's forms.
    let formToken: String
    /// The fields of a form; none of a page that is read.
    let fields: FormFields
    /// The hub that the path names; nil for none.
    let hub: HubName?

    /// The present time.
    var now: Timestamp { console.service.now }

    /// One line for each problem of a hub that the session reaches.
    var problems: [String] {
        console.service.problems.filter { session.reaches($0.hub) }.map(\.description)
    }

    /// Asks the hub that the path names; the pattern must have `{hub}`.
    var asking: HubAsking { HubAsking(service: console.service, hub: named) }

    /// The hub that the path names; the pattern must have `{hub}`.
    var named: HubName {
        guard let hub else { preconditionFailure("\(path) names no hub.") }
        return hub
    }

    /// The rights with which the operator's changes are made.
    var grant: AccessGrant {
        AccessGrant(
            rule: session.rule,
            rights: session.role == .manager ? AccessRight.allCases : [.send]
        )
    }

    /// The decoded part of the path that its pattern names in braces.
    func part(_ name: String) -> [UInt8] {
        guard let place = path.place(of: name) else {
            preconditionFailure("\(path) has no {\(name)}.")
        }
        return incoming.target.segments[place]
    }

    /// The text of a query field; empty when it is absent.
    func query(_ name: String) -> String {
        incoming.target.value(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether the operator may do what this role may.
    func may(_ role: ConsoleRole) -> Bool { session.role >= role }

    /// The notification that a text names.
    func notification(
        _ text: [UInt8],
        field: String
    ) throws(RequestFailure) -> NotificationName {
        try refusing { () throws(Refusal) in try NotificationAddress.read(text, field: field) }
    }

    /// Runs what the rules may refuse.
    func refusing<Value>(
        _ body: () throws(Refusal) -> Value
    ) throws(RequestFailure) -> Value {
        do throws(Refusal) { return try body() } catch { throw .refused(error) }
    }
}
