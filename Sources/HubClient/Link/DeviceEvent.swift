import HubWire

/// What an app learns about its device.
public enum DeviceEvent: Equatable, Sendable {
    /// The hub accepted the session.
    case connected(SessionOpening)
    /// A slot is registered as wanted; `isUnchanged` when the hub had it already.
    case registered(RegistrationChoice, isUnchanged: Bool)
    /// A slot is given up.
    case unregistered(slot: UInt16)
    /// A notification, stored unless it is transient; say `taken` when it was dealt with.
    case notification(ReceivedNotification)
    /// Notifications are lost, or may be: the app synchronises by other means.
    case gap(LossNotice)
    /// Nothing waits at the hub any more.
    case upToDate
    /// The connection is gone; nil means that the device does not come back by itself.
    case disconnected(Departure, retryIn: Duration?)
    /// Something went wrong; the device goes on where it can.
    case fault(DeviceFault)
}

/// What is known about a loss.
public struct LossNotice: Equatable, Sendable {
    /// Why the hub cannot give the device everything.
    public enum Reason: String, Equatable, Sendable {
        /// More waited than the hub keeps for one device.
        case deviceCap = "device cap"
        /// The hub lost history, or does not know this device's position.
        case historyLost = "history lost"
        /// An operator purged notifications.
        case purge
        /// The hub no longer knows the tags that the registration had then.
        case tagHistoryCut = "tag history cut"
        /// The hub's history is not the one that the device knows.
        case reset
    }

    /// Why.
    public var reason: Reason
    /// How many; nil when the hub does not know.
    public var lost: Int?
    /// The position from now on.
    public var position: UInt64

    init(reason: Reason, lost: UInt32, position: UInt64) {
        self.reason = reason
        self.lost = lost == .max ? nil : Int(lost)
        self.position = position
    }

    init(_ gap: LinkGap) {
        let reason: Reason =
            switch GapReason(rawValue: gap.reason) {
            case .deviceCap: .deviceCap
            case .purge: .purge
            case .tagHistoryCut: .tagHistoryCut
            case .historyLost, .moved, nil: .historyLost
            }
        self.init(reason: reason, lost: gap.lost, position: gap.to)
    }
}

/// What went wrong on a device that goes on living; holds no secret.
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
            "the hub's certificate is not trusted (verification \(verification))"
        }
    }
}

extension RequestRefusal {
    /// The name of the status in `Protocol/`.
    public var statusName: String { ErrorNumber.name(of: status) }
}

extension SessionOpening {
    /// The outcome in lower case: `fresh`, `resumed`, `gap`, `reset`.
    public var outcomeName: String {
        switch outcome {
        case .fresh: "fresh"
        case .resumed: "resumed"
        case .gap: "gap"
        case .reset: "reset"
        }
    }
}

extension ErrorNumber {
    /// The name of a number of any peer.
    static func name(of code: UInt16) -> String {
        ErrorNumber(rawValue: code)?.name ?? "0x" + String(code, radix: 16)
    }
}
