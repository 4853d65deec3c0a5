import DeviceEmulator

/// What a command that failed says: one readable line on standard error, exit code 1.
///
/// Some of it a server has said, so no control sequence of it reaches a terminal.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) { self.init("\(error)") }

    init(_ text: String) { description = SafeText.line(text) }

    /// Runs a body and turns what it throws into one readable line.
    static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}
