import HubREST
import HubVocabulary

/// The operator's own session: confirming it, ending it.
enum SessionPages {
    static let rows = [
        PageRow("confirm", "/$belfry/ui/confirm", run: form),
        PageRow(
            post: "confirmed",
            "/$belfry/ui/confirm",
            for: .viewer,
            audit: "console.confirm",
            run: confirm
        ),
        PageRow(
            post: "signOut",
            "/$belfry/ui/sign-out",
            for: .viewer,
            audit: "console.signOut"
        ) { visit in
            visit.console.signIns.end(visit.session)
            return .signedOut(.done)
        },
    ]

    /// The form's address, with the page to go on to.
    static func confirmAddress(backTo back: String?) -> String {
        PageAddress.server("confirm", query: ["back": back ?? ""])
    }

    private static func form(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        .page("Confirm", tab: nil, form(visit, back: visit.query("back"), refused: nil))
    }

    private static func form(_ visit: PageVisit, back: String, refused: String?) -> HTMLOutput {
        var main = HTMLOutput()
        if let refused {
            main.element("p", ["class": "refused", "role": "alert"], text: refused)
        }
        main.element("p") {
            $0.text("Keys, purges, revocations and deletions need a fresh code. Run ")
            $0.element("code", text: "belfry console --data DIR --confirm")
            $0.text(", and type its nine digits. They count for ten minutes of this session.")
        }
        let action = PageAddress.server("confirm")
        Form(action: action, token: visit.formToken).write(to: &main) {
            $0.void(
                "input",
                ["type": "hidden", "name": "back", "value": PageAddress.isOwn(back) ? back : ""]
            )
            $0.field("Nine digits", "digits")
            $0.button("Confirm")
        }
        return main
    }

    private static func confirm(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let back = visit.fields["back"]
        switch visit.console.signIns.confirm(visit.fields["digits"], for: visit.session) {
        case .confirmed: return .seeOther(PageAddress.isOwn(back) ? back : PageAddress.base)
        case .ended: return .signedOut(.refused(status: 403))
        case .wrong(let left):
            let refused =
                "The digits are wrong or too old. \(left) more wrong ones end the session."
            let page = form(visit, back: back, refused: refused)
            return .refused(403, "Confirm", tab: nil, page)
        }
    }
}
