import CPostgres

/// libpq's calls that wait for a socket.
enum PostgresSocket {
    /// How connecting to one host ended.
    @safe enum Attempt {
        /// For the caller to close.
        case connected(OpaquePointer)
        case failed(String)
    }

    /// Connects to one host.
    static func connect(
        to host: PostgresHost,
        of address: PostgresAddress,
        _ limits: PostgresLimits
    ) -> Attempt {
        let limit = address.connectSeconds.map { .seconds($0) } ?? limits.connecting
        // Looks the name up, for as long as the system's resolver takes.
        guard let link = unsafe begin(address.options(for: host)) else {
            return .failed("a connection cannot be begun")
        }
        let deadline = ContinuousClock.now + limit
        var reason = "no answer within \(limit)"
        // `link` is alive until it is closed below or handed on.
        var step = unsafe belfry_postgres_connect_first(link)
        connecting: while true {
            switch step {
            case belfry_postgres_connected: return unsafe .connected(link)
            case belfry_postgres_wants_reading:
                guard unsafe isReady(link, writing: false, deadline) else { break connecting }
            case belfry_postgres_wants_writing:
                guard unsafe isReady(link, writing: true, deadline) else { break connecting }
            default:
                reason = unsafe message(of: link, hiding: address.password)
                break connecting
            }
            step = unsafe belfry_postgres_connect_more(link)
        }
        unsafe belfry_postgres_close(link)
        return .failed(reason)
    }

    private static func begin(_ options: [PostgresOption]) -> OpaquePointer? {
        guard options.count <= Int(BELFRY_POSTGRES_OPTIONS_MAX) else { return nil }
        let text = options.flatMap { option -> [UInt8] in
            Array(option.keyword.utf8) + [0] + Array(option.value.utf8) + [0]
        }
        return unsafe text.withUnsafeBufferPointer { bytes in
            // The pairs end with zero bytes and are copied by the call.
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe belfry_postgres_connect(characters.baseAddress, Int32(options.count))
            }
        }
    }

    /// Waits until there is something to read, or while something is left to write also room for it;
    /// false when the time is up or the socket is none.
    static func isReady(
        _ link: OpaquePointer,
        writing: Bool,
        _ deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let milliseconds = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
            // The caller keeps `link` alive.
            let count = unsafe belfry_postgres_wait(link, writing ? 1 : 0, milliseconds)
            if count != 0 { return count > 0 }
        }
    }

    /// libpq's words in one line, without a password.
    static func message(
        of link: OpaquePointer,
        hiding password: PostgresPassword?
    ) -> String {
        // The text lives until the next call.
        let text = unsafe String(cString: belfry_postgres_message(link))
        let line = text.split(separator: "\n").joined(separator: "; ")
        guard let password, !password.text.isEmpty else { return line }
        return line.replacing(password.text, with: "\(password)")
    }
}
