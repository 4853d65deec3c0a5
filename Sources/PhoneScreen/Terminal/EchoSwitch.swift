import Foundation

/// Hides what is typed into the terminal, until it is restored.
struct EchoSwitch {
    /// Whether there is a terminal whose echo is off now.
    let isOff: Bool
    private let before: termios

    /// Hides from now on, where there is a terminal.
    init() {
        var shown = termios()
        // The struct lives for the call, which fails where there is no terminal.
        let isTerminal = unsafe tcgetattr(STDIN_FILENO, &shown) == 0
        before = shown
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // As above.
        let isHidden = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &hidden) == 0
        isOff = isTerminal && isHidden
    }

    /// Shows again what is typed.
    func restore() {
        guard isOff else { return }
        var shown = before
        // The struct lives for the call; a terminal that cannot be restored has gone.
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &shown)
    }
}
