import Foundation

/// The files of `Protocol/vectors`, found beside the sources that this was compiled from.
package enum Vectors {
    /// HELLO, WELCOME, GOAWAY, BYE, ERROR.
    package static let session = frames(in: "session")
    /// PING, PONG, WINDOW, and the sizes of the fixed frames.
    package static let keepalive = frames(in: "keepalive")
    /// REGISTER, TAGS, UNREGISTER, RESULT.
    package static let registration = frames(in: "registration")
    /// DELIVER, ACK, GAP.
    package static let delivery = frames(in: "delivery")
    /// RECEIPTS.
    package static let receipts = frames(in: "receipts")
    /// Headers, options, extension frames, PADDING.
    package static let framing = frames(in: "framing")
    /// All vectors of frames.
    package static let all = session + keepalive + registration + delivery + receipts + framing
    /// Scenarios of resuming.
    package static let resume = decode([ResumeScenario].self, "resume")
    /// The fixed values of the device proof.
    package static let auth = decode(AuthVector.self, "auth")

    /// The folder `Protocol` of this repository.
    package static var protocolFolder: String { repository + "/Protocol" }

    /// The top folder of this repository.
    package static var repository: String {
        var path = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { path.deleteLastPathComponent() }
        return path.path
    }

    /// The text of a file named from the top folder; stops the test run when it is not there.
    package static func text(_ path: String) -> String {
        let bytes = FileManager.default.contents(atPath: repository + "/" + path)
        guard let bytes else { preconditionFailure("no file \(path)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func frames(in file: String) -> [Vector] { decode([Vector].self, file) }

    /// A file of vectors by its name; stops the test run when it is another kind of file.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ file: String) -> Value {
        do {
            let content = text("Protocol/vectors/\(file).json")
            return try JSONDecoder().decode(type, from: Data(content.utf8))
        } catch {
            preconditionFailure("\(file).json: \(error)")
        }
    }
}
