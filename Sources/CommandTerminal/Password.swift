import Foundation

/// Passwords from the person at the terminal, or from standard input.
package enum Password {
    /// A password without the line break at its end; asked for twice when it is a new one.
    package static func read(isNew: Bool) throws -> [UInt8] {
        guard isatty(STDIN_FILENO) == 1 else {
            var bytes = try StandardInput.read(
                "password",
                bytesMax: StandardInput.passwordBytesMax
            )
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return bytes
        }
        let first = try ask("Password: ")
        guard isNew else { return first }
        guard try ask("Again: ") == first else { throw Failure("the passwords differ") }
        return first
    }

    private static func ask(_ prompt: String) throws -> [UInt8] {
        var shown = termios()
        // The struct lives for the call; a terminal was found above.
        guard unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Failure("the terminal cannot hide a password")
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // As above.
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw Failure("the terminal cannot hide a password")
        }
        defer {
            // As above; a terminal that cannot be restored has gone.
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            Terminal.note("")
        }
        Terminal.prompt(prompt)
        guard let line = readLine() else { throw Failure("no password was given") }
        return Array(line.utf8)
    }
}
