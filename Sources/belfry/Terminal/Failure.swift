import DeviceEmulator
import HubClient

/// What a command that failed says: one readable line on standard error, exit code 1.
///
/// Some of it a server has said, so no control sequence of it reaches a terminal.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) { self.init("\(error)") }

    /// What a hub said to a sender: a key that is not its own is told as that.
    init(_ error: SenderError, of sender: SenderClient) {
        guard case .refused(let refused) = error, refused.reason.hasPrefix("InvalidSignature")
        else {
            self.init(error)
            return
        }
        self.init(
            "refused with 401: the key '\(sender.connection.keyName)' given here is not one of "
                + "/\(sender.hub): is the hub's name right?"
        )
    }

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
