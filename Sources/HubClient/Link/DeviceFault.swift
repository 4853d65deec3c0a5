/// A fault of a device that goes on living; holds no secret.
public enum DeviceFault: Error, Equatable, Sendable {
    /// The hub refused a registration, tags or receipts.
    case refused(RequestRefusal)
    /// The app's wish cannot be said to the hub.
    case choice(ChoiceError)
    /// An entry could not be decoded; the hub is told.
    case undecodable(id: String, reason: String)
    /// The hub reported an error.
    case reported(name: String, detail: String)
    /// The device could not store; nothing was acknowledged.
    case store(DeviceStoreError)
    /// No connection could be begun, or the loop could not be set up.
    case transport(String)
    /// The hub's certificate was refused; the number is OpenSSL's X509_V_ERR, 0 if none.
    case untrusted(verification: Int)
}

extension DeviceFault: CustomStringConvertible {
    /// One readable line.
    public var description: String {
        switch self {
        case .refused(let refusal):
            "\(refusal.request) refused: \(refusal.statusName) \(refusal.detail)"
        case .choice(let error): "the registration cannot be sent: \(error)"
        case .undecodable(let id, let reason): "notification \(id) cannot be decoded: \(reason)"
        case .reported(let name, let detail): "the hub reports \(name): \(detail)"
        case .store(let error): error.description
        case .transport(let reason): reason
        case .untrusted(let verification):
            "the hub's certificate is not trusted: \(Self.words(verification))"
        }
    }

    /// Returns OpenSSL's finding in words, where people can mend it, and otherwise as a number.
    private static func words(_ verification: Int) -> String {
        switch verification {
        case 9: "its time has not begun"
        case 10: "its time is over"
        case 18, 19, 20, 21: "its authority is unknown here"
        case 62, 64: "it is for another name"
        default: "verification \(verification)"
        }
    }
}
