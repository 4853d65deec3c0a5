package import HubSender
import PhoneScreen

/// The error of a command that failed: one readable line on standard error, exit code 1.
///
/// Some of it a server has said, so no control sequence of it reaches a terminal.
package struct Failure: Error, CustomStringConvertible {
    /// The line.
    package let description: String

    /// The failure of an error.
    package init(_ error: any Error) { self.init("\(error)") }

    /// A hub's refusal of a sender; one of a key that is not the hub's says so, and one of a hub
    /// that is not there names the nearest one.
    package init(_ error: SenderError, of sender: SenderClient, nearest: String? = nil) {
        guard case .refused(let refused) = error, refused.reason.hasPrefix("InvalidSignature")
        else {
            self.init("\(error)" + (nearest.map { " Did you mean '\($0)'?" } ?? ""))
            return
        }
        self.init(
            "refused with 401: the key '\(sender.connection.keyName)' given here is not one of "
                + "/\(sender.hub): is the hub's name right?"
        )
    }

    /// A failure in words.
    package init(_ text: String) { description = SafeText.line(text) }

    /// Runs a body and turns what it throws into one readable line.
    package static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}
