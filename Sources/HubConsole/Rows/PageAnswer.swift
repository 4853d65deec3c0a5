/// An answer of a page's handler.
enum PageAnswer: Sendable {
    /// A page with a title; `tab` is the entry of the navigation that it belongs to.
    case page(String, tab: PageTab?, HTMLOutput)
    /// Another page: after an effect, or where one address leads to another.
    case seeOther(String)
    /// Text that is no page, such as a connection string for the clipboard.
    case text(String)
    /// The end of the session.
    case signedOut
}
