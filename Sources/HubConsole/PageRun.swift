import HubREST
import HubVocabulary

/// Runs the handler of a row, once its session is known: role, reach, token, confirmation, audit.
struct PageRun {
    let console: ConsoleConfiguration
    let incoming: IncomingRequest
    let row: PageRow
    let session: ConsoleSession
    let isFresh: Bool
    let formToken: String
    let fields: FormFields

    /// The answer, or a page that says why not.
    func reply() async throws(RequestFailure) -> ConsoleReply {
        let visit = visit
        guard session.role >= row.role else { return ErrorPage.role(row.role, visit) }
        guard row.reach == .hub || session.reachesServer else { return ErrorPage.reach(visit) }
        // Before the audit, and before a handler that counts on the hub.
        guard !hasHub || isHubThere(visit.hub) else { return ErrorPage.noHub(visit) }
        if row.method == "POST" {
            guard ConsoleSecret.isSame(fields["token"], formToken) else {
                return ErrorPage.token(visit)
            }
            guard isFresh || !row.needsConfirmation else { return ErrorPage.unconfirmed(visit) }
        }
        if let audit = row.audit {
            // Before it is done: what cannot be noted is not done.
            guard await console.audit(act(audit, visit, .begun)) else {
                throw .refused(.storeUnavailable(retryAfterSeconds: 5))
            }
        }
        do throws(RequestFailure) {
            let answer = try await row.run(visit)
            await tell(answer.result, visit)
            return reply(answer, visit)
        } catch {
            await tell(.refused(status: error.status), visit)
            return ErrorPage.reply(error, incoming, visit)
        }
    }

    /// Notes what became of an act; one that was begun is in the audit in any case.
    private func tell(_ result: AuditResult, _ visit: PageVisit) async {
        guard let audit = row.audit else { return }
        _ = await console.audit(act(audit, visit, result))
    }

    private func reply(_ answer: PageAnswer, _ visit: PageVisit) -> ConsoleReply {
        switch answer {
        case .page(_, _, let main) where incoming.target.flag("live"): .live(main.liveJSON)
        case .page(let title, let tab, let main):
            .page(PageFrame(title: title, tab: tab, visit: visit).html(main))
        case .refused(let status, let title, let tab, let main):
            .page(PageFrame(title: title, tab: tab, visit: visit).html(main), status: status)
        case .seeOther(let address): .seeOther(address)
        case .text(let text): .text(text)
        case .file(let name, let type, let bytes): .file(name: name, type: type, bytes)
        case .signedOut: .seeOther(SignInPage.path, headers: [SessionCookie.end])
        }
    }

    /// Whether a hub is there; one that the session does not reach looks as if it were not.
    private func isHubThere(_ hub: HubName?) -> Bool {
        // The refusal is the answer.
        hub.map { session.reaches($0) && (try? console.service.hub($0)) != nil } ?? false
    }

    private var hasHub: Bool { row.path.place(of: "hub") != nil }

    private var visit: PageVisit {
        let place = row.path.place(of: "hub")
        let name = place.map { String(decoding: incoming.target.segments[$0], as: UTF8.self) }
        return PageVisit(
            console: console,
            incoming: incoming,
            path: row.path,
            session: session,
            isFresh: isFresh,
            formToken: formToken,
            fields: fields,
            hub: name.flatMap(HubName.init)
        )
    }

    private func act(
        _ word: String,
        _ visit: PageVisit,
        _ result: AuditResult
    ) -> ConsoleAct {
        ConsoleAct(
            operation: word,
            subject: incoming.target.shown + fields.shown(row.auditFields),
            rule: session.rule,
            name: session.name,
            hub: visit.hub ?? session.hub.flatMap(HubName.init),
            tracking: incoming.tracking.id,
            result: result
        )
    }
}
