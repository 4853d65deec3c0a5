/// A piece of a line in one look.
package struct ScreenSpan: Equatable, Sendable {
    /// How a piece looks; without colours it still can be told by its text.
    package enum Look: Equatable, Sendable { case plain, strong, faint, bar, good, bad }

    /// The text, which `SafeText` has passed.
    package var text: String
    /// How it looks.
    package var look: Look

    init(_ text: String, _ look: Look = .plain) {
        self.text = text
        self.look = look
    }
}
