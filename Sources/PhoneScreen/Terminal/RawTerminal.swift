import Foundation

/// The terminal with every key as it is pressed, and a screen of its own; as it was before when it
/// is closed.
final class RawTerminal {
    private var before = termios()
    private var isOpen = true

    /// Takes the terminal of this process.
    /// - Throws: `.noTerminal` when there is none, `.noKeys`.
    init() throws(TerminalFault) {
        // The struct lives for the call.
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else {
            throw .noTerminal
        }
        var raw = before
        // Keys at once and unseen; Control-C is a key like others, signals still come from outside.
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        // As above.
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else {
            throw .noKeys
        }
        write(ScreenFrame.opening)
    }

    deinit { close() }

    /// Gives the terminal back.
    func close() {
        guard isOpen else { return }
        isOpen = false
        write(ScreenFrame.closing)
        // The struct lives for the call; a terminal that cannot be restored has gone.
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    }

    /// Writes text and control sequences.
    func write(_ text: String) {
        // A terminal that has gone gets nothing.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Columns and rows; 80 and 24 where the terminal does not say.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        // The struct lives for the call and is what the request fills in.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isKnown, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Bytes of keys, in pieces as they come; an empty piece after a pause.
    ///
    /// Ends with the terminal.
    static func keys() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            // A lone escape is a key when nothing follows it for a moment.
            var isAfterBytes = false
            while true {
                var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                // One entry, which lives for the call.
                let ready = unsafe poll(&wanted, 1, isAfterBytes ? 50 : -1)
                if ready == 0 {
                    isAfterBytes = false
                    continuation.yield([])
                    continue
                }
                if ready < 0, errno == EINTR { continue }
                // The call writes at most what the array holds.
                let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe read(STDIN_FILENO, bytes.baseAddress, bytes.count)
                }
                if count < 0, errno == EINTR { continue }
                guard ready > 0, count > 0 else { break }
                continuation.yield(Array(buffer[0..<count]))
                isAfterBytes = true
            }
            continuation.finish()
        }
        return stream
    }
}
