package import HubWire

/// One frame vector: bytes, and what a decoder makes of them.
///
/// Source: Protocol §12.
package struct Vector: Decodable, Sendable, CustomStringConvertible {
    private let dir: String
    private let state: String
    private let hex: String
    /// What tests print.
    package let name: String
    /// The decoded fields, for good vectors.
    package let expect: JSONValue?
    /// Bytes needed before anything more can be said, for incomplete vectors.
    package let needMore: Int?
    /// Name of the error, for malformed ones.
    package let error: String?
    /// The limit that the error carries, where the vector says it.
    package let limit: Int?
    /// Whether an encoder given the fields yields exactly these bytes.
    package let canonical: Bool

    private enum CodingKeys: String, CodingKey {
        case dir, state, hex, name, expect, error, limit, canonical
        case needMore = "need_more"
    }

    /// The name, so that a failing argument is recognised.
    package var description: String { name }

    /// The bytes as received.
    package var bytes: [UInt8] { HexText.bytes(hex) }

    /// Who sent them.
    package var direction: Direction { dir == "d2h" ? .deviceToHub : .hubToDevice }

    /// What the receiver has seen before.
    package var decodingState: DecodingState {
        switch state {
        case "WAIT_HELLO": .waitHello
        case "WAIT_WELCOME": .waitWelcome
        default: .ready
        }
    }

    /// What the receiver accepts.
    package var limits: WireLimits {
        switch direction {
        case .deviceToHub: .hub
        case .hubToDevice: .device
        }
    }
}

/// The fixed values of `auth.json`, as hex.
package struct AuthVector: Decodable, Sendable {
    /// Label of the TLS exporter, as text.
    package let exporterLabel: String
    /// Value of the TLS exporter.
    package let exporter: String
    /// Key of the device.
    package let deviceKey: String
    /// HELLO up to its credentials.
    package let prefix: String
    /// What the HMAC is taken of.
    package let input: String
    /// HMAC-SHA256 of `input`.
    package let proof: String
    /// The whole frame.
    package let hello: String

    private enum CodingKeys: String, CodingKey {
        case exporterLabel = "exporter_label"
        case exporter
        case deviceKey = "device_key"
        case prefix, input, proof, hello
    }
}

/// A scenario of `resume.json`; 64-bit numbers are decimal texts.
///
/// Source: Protocol to.
package struct ResumeScenario: Decodable, Sendable, CustomStringConvertible {
    /// What the hub knows of its log and of the device.
    package struct Hub: Decodable, Sendable {
        /// Pairs of epoch and its first sequence number, ascending.
        package let epochs: [[String]]
        /// Oldest record; one above the head when there is none.
        package let first: String
        /// Newest record.
        package let head: String
        /// Check by sequence number, of records that exist.
        package let checks: [String: UInt32]
        /// Highest sequence number acknowledged, if any.
        package let cursor: String?
        /// Up to where nothing matches that is not acknowledged, if known.
        package let scannedThrough: String?
        /// Where the oldest registration is effective from, if there is one.
        package let effectiveFrom: String?
        /// What is known to be lost, if anything.
        package let cut: Cut?

        private enum CodingKeys: String, CodingKey {
            case epochs, first, head, checks, cursor, cut
            case scannedThrough = "scanned_through"
            case effectiveFrom = "effective_from"
        }
    }

    /// Deliveries that are known to be lost.
    package struct Cut: Decodable, Sendable {
        /// The last of them.
        package let through: String
        /// How many.
        package let lost: UInt32
    }

    /// The position of HELLO.
    package struct Hello: Decodable, Sendable {
        /// 0 is no position.
        package let epoch: String
        /// Highest complete sequence number stored.
        package let seq: String
        /// Check of it.
        package let check: UInt32
    }

    /// What the hub decides.
    package struct Expectation: Decodable, Sendable {
        /// FRESH, RESUMED, GAP or RESET.
        package let resume: String
        /// Current epoch.
        package let epoch: String
        /// Where the hub continues after.
        package let seq: String
        /// Check of it; nil is any.
        package let check: UInt32?
        /// Entries lost.
        package let lost: UInt32
        /// Delivery looks at records above this.
        package let scanAfter: String
        /// The cursor afterwards, if any.
        package let acknowledged: String?

        private enum CodingKeys: String, CodingKey {
            case resume, epoch, seq, check, lost, acknowledged
            case scanAfter = "scan_after"
        }
    }

    /// What tests print.
    package let name: String
    /// Log and device before.
    package let hub: Hub
    /// What the device says.
    package let hello: Hello
    /// What the hub answers.
    package let expect: Expectation

    /// The name, so that a failing argument is recognised.
    package var description: String { name }
}
