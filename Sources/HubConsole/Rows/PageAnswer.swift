import HubREST

/// An answer of a page's handler.
enum PageAnswer: Sendable {
    /// A page with a title; `tab` is the entry of the navigation that it belongs to.
    case page(String, tab: PageTab?, HTMLOutput)
    /// The same where something was refused and its form is shown again.
    case refused(Int, String, tab: PageTab?, HTMLOutput)
    /// Another page: after an effect, or where one address leads to another.
    case seeOther(String)
    /// Text that is no page, such as a connection string for the clipboard.
    case text(String)
    /// A file to keep; its name is one of our own words and of names that a hub may have.
    case file(name: String, type: String, [UInt8])
    /// The end of the session: asked for, or for too many wrong digits.
    case signedOut(AuditResult)

    /// How far the act of its page has come.
    var result: AuditResult {
        switch self {
        case .page, .seeOther, .text, .file: .done
        case .refused(let status, _, _, _): .refused(status: status)
        case .signedOut(let result): result
        }
    }
}
