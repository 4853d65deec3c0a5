import HubDirectory
package import HubVocabulary

/// Which devices a list shows; nil and empty parts mean all.
package struct DeviceFilter: Sendable {
    /// The words for a device's state.
    package enum State: String, CaseIterable {
        /// It has no session.
        case away
        /// It has one.
        case connected
    }

    private static let idDigits = 32

    /// The first hex digits of their ids, as values from 0 to 15.
    package var prefix: [UInt8] = []
    /// Whether they have a session.
    package var isConnected: Bool?
    /// A tag that a registration of theirs has, in any spelling.
    package var tag: [UInt8]?

    /// Means all devices.
    package init() {}

    /// Means those that a query asks for, whose empty values mean all.
    ///
    /// - Throws: `.invalid` for a prefix that no id begins with, and for a word that is no state.
    package init(prefix: [UInt8], state: [UInt8], tag: [UInt8]?) throws(Refusal) {
        self.prefix = prefix.compactMap(HexText.digit)
        guard self.prefix.count == prefix.count, prefix.count <= Self.idDigits else {
            throw .invalid(field: "prefix", reason: "must be hex digits of a device's id.")
        }
        if !state.isEmpty {
            let word = String(decoding: state, as: UTF8.self).lowercased()
            guard let state = State(rawValue: word) else {
                throw .invalid(field: "state", reason: "is neither 'connected' nor 'away'.")
            }
            isConnected = state == .connected
        }
        self.tag = tag
    }

    /// Whether neither ids nor states are left out.
    var meansAll: Bool { prefix.isEmpty && isConnected == nil }

    /// Whether a device's id begins as asked for, and its state is the one asked for.
    func means(_ device: DeviceID, of devices: DeviceTable) -> Bool {
        guard prefix.isEmpty || hasPrefix(device) else { return false }
        return isConnected.map { $0 == devices.isConnected(device) } ?? true
    }

    private func hasPrefix(_ device: DeviceID) -> Bool {
        prefix.enumerated().allSatisfy { index, digit in
            let word = index < 16 ? device.high : device.low
            return UInt8(word >> UInt64(60 - 4 * (index % 16)) & 0xF) == digit
        }
    }
}
