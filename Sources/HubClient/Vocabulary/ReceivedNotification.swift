import FoundationEssentials
package import HubParcel
public import HubVocabulary
public import HubWire

/// A notification as a device received it.
public struct ReceivedNotification: Equatable, Sendable {
    /// Number in the device's store, for `DeviceStore.markTaken`; 0 for a transient one.
    public var number: UInt64 = 0
    /// The notification's id; the same for every registration that it matched.
    public var id: ID16
    /// Its place in the hub's log; nil for a transient one.
    public var sequence: UInt64?
    /// The registration that it came for: 0 to 15 the device's own, others made elsewhere.
    public var slot: UInt16
    /// The platform of that registration, where the hub said it.
    public var platform: Platform?
    /// Whether a template registration got it.
    public var isTemplate = false
    /// Whether nothing is to be shown.
    public var isSilent = false
    /// Whether it may have been sent on an earlier connection.
    public var isRedelivered = false
    /// Whether the sender asked for receipts of what the user does.
    public var wantsUserReceipt = false
    /// The sender's urgency.
    package var urgency = ParcelUrgency.normal
    /// The form of the payload.
    package var contentType = ParcelContentType.opaque
    /// A newer notification with the same key replaces this one where it is shown.
    public var collapseKey = ""
    /// Headers of the send that travel to the device.
    public var headers: [NotificationHeader] = []
    /// Tags of the registration, where it is one of the device's own.
    public var tags: [String] = []
    /// The payload; empty when the session was told not to inflate.
    public var payload: [UInt8] = []
    /// The DELIVER frame that brought it, as it came; empty unless the session keeps frames.
    package var frame: [UInt8] = []
    /// Bytes of the payload.
    public var payloadBytes: Int
    /// Bytes of the entry on the link: its ten bytes and the parcel.
    public var wireBytes: Int
    /// When the device received it, in milliseconds since 1970.
    public var receivedAtMilliseconds: UInt64

    /// A notification with only its address and sizes.
    package init(
        id: ID16,
        sequence: UInt64?,
        slot: UInt16,
        payloadBytes: Int,
        wireBytes: Int,
        receivedAtMilliseconds: UInt64
    ) {
        self.id = id
        self.sequence = sequence
        self.slot = slot
        self.payloadBytes = payloadBytes
        self.wireBytes = wireBytes
        self.receivedAtMilliseconds = receivedAtMilliseconds
    }

    /// Whether it has no place in the log: never stored, at most once.
    public var isTransient: Bool { sequence == nil }

    /// The payload where it is UTF-8 text.
    public var text: String? { String(validating: payload, as: UTF8.self) }

    /// The text that the payload shows, in the form of any platform; nil where it shows none.
    public var alert: String? { text.flatMap(AlertText.read) }

    /// The payload read as JSON; members beside the wanted ones are passed over.
    ///
    /// - Throws: `DecodingError` when it is something else.
    public func decoded<Body: Decodable>(as body: Body.Type) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(payload))
    }
}
