import HubREST
import HubVocabulary

/// The way in: takes a code that `belfry console` has printed.
enum SignInPage {
    static let path = "/$belfry/ui/sign-in"
    static let segments = ["$belfry", "ui", "sign-in"].map { Array($0.utf8) }

    /// The address with the page to go on to.
    static func address(backTo incoming: IncomingRequest) -> String {
        let back = incoming.target.path + incoming.target.query()
        let isRoot = incoming.target.segments.count < 3
        return isRoot ? path : "\(path)?back=\(PercentCoding.encoded(back))"
    }

    /// The form.
    ///
    /// Asking for it has no effect: previews of links may do so.
    static func form(backTo back: [UInt8], refused: String? = nil, status: Int = 200)
        -> ConsoleReply
    {
        var main = HTMLOutput()
        if let refused {
            main.element("p", ["class": "refused", "role": "alert"], text: refused)
        }
        main.element("p") {
            $0.text("Run ")
            $0.element("code", text: "belfry console --data DIR")
            $0.text(" on the hub's machine. It opens this page with a code that works once.")
        }
        main.element("form", ["method": "post", "action": path, "id": "sign-in"]) { form in
            let back = String(decoding: back, as: UTF8.self)
            form.void(
                "input",
                ["type": "hidden", "name": "back", "value": PageAddress.isOwn(back) ? back : ""]
            )
            form.field("Code", "code", hint: "26 letters and digits, within five minutes.")
            form.element("p") { $0.button("Sign in") }
        }
        return .page(PageFrame(title: "Sign in to Belfry").html(main), status: status)
    }

    /// Takes the form: a session, or the form again.
    static func take(
        _ fields: FormFields,
        _ console: ConsoleConfiguration,
        network: DeviceID?,
        relay: String?,
        tracking: String
    ) async throws(RequestFailure) -> ConsoleReply {
        let back = fields["back"]
        switch console.signIns.signIn(
            code: fields["code"],
            from: network,
            relay: relay
        ) {
        case .tooMany(let count):
            await tell(count, console, tracking)
            throw .refused(.throttled(retryAfterSeconds: 60))
        case .refused(let count):
            await tell(count, console, tracking)
            return form(
                backTo: Array(back.utf8),
                refused: "The code is wrong, was used, or is too old. Ask for a new one.",
                status: 403
            )
        case .signedIn(let session, let cookie):
            let act = ConsoleAct(
                operation: "console.signIn",
                subject: "\(path) \(session.role.rawValue) \(session.shown)",
                rule: session.rule,
                name: session.name,
                hub: session.hub.flatMap(HubName.init),
                tracking: tracking,
                result: .done
            )
            guard await console.audit(act) else {
                console.signIns.end(session)
                throw .refused(.storeUnavailable(retryAfterSeconds: 5))
            }
            let seconds = (session.ends - session.began) / 1_000
            return .seeOther(
                PageAddress.isOwn(back) ? back : PageAddress.base,
                headers: [SessionCookie.begin(cookie, seconds: seconds)]
            )
        }
    }

    /// Notes the 1st, 10th, 100th … refused try of an hour: strangers cannot fill the audit.
    private static func tell(
        _ count: Int,
        _ console: ConsoleConfiguration,
        _ tracking: String
    ) async {
        var rest = count
        while rest.isMultiple(of: 10) { rest /= 10 }
        guard rest == 1 else { return }
        let act = ConsoleAct(
            operation: "console.refusedSignIn",
            subject: "\(path) \(count) in this hour",
            rule: "",
            name: "",
            hub: nil,
            tracking: tracking,
            result: .refused(status: 403)
        )
        // A hub whose audit stands still refuses all the same.
        _ = await console.audit(act)
    }
}
