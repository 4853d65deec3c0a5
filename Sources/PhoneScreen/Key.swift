/// A key that was pressed.
package enum Key: Equatable, Sendable {
    /// A character that was typed.
    case character(Character)
    /// Text that was pasted in one piece; line breaks in it are no presses of Enter.
    case paste(String)
    /// A letter together with Control.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
}
