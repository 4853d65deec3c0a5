import HubModel
import HubTemplates
import HubVocabulary

/// The sender's message for FCM v1, with the hub's target and remaining life in it.
///
/// The sender may write the message itself or the request that holds it, and its members in
/// camelCase or snake_case, as Protocol Buffers allow.
struct FirebaseMessage {
    /// Bytes of notification and data at most.
    private static let payloadBytesMax = 4_096
    /// Seconds that Google keeps a message at most.
    private static let secondsMax: UInt64 = 2_419_200
    /// Nesting of a message at most.
    private static let depthMax = 64
    private static let targets = ["token", "fid", "topic", "condition"]
    private static let format = RelayOutcome.invalidNotificationFormat

    private var members: [JSONMember]

    /// Reads and checks a body.
    ///
    /// - Throws: `.content` when Google would not take it.
    init(_ body: [UInt8]) throws(RelayVerdict) {
        let tree: JSONTree
        do throws(JSONTextError) {
            tree = try JSONTree(json: body.span, depthMax: Self.depthMax)
        } catch { throw RelayVerdict(.content, Self.format, "not JSON") }
        guard case .object(let outer) = tree else {
            throw RelayVerdict(.content, Self.format, "not an object")
        }
        let inner = outer.last { $0.name.elementsEqual("message".utf8) }?.value
        if case .object(let message)? = inner { members = message } else { members = outer }
        try checkData()
        let size = ["notification", "data"].compactMap { self[$0]?.json.count }.reduce(0, +)
        guard size <= Self.payloadBytesMax else {
            throw RelayVerdict(.content, .invalidNotificationSize, "notification and data")
        }
    }

    /// A message without the targets that the sender names, in the bytes of a request.
    struct Untargeted: Sendable {
        /// Up to the target, which is the last member.
        private let beginning: [UInt8]

        fileprivate init(_ members: [JSONMember]) {
            let json = JSONTree.object([JSONMember("message", .object(members))]).json
            let comma = members.isEmpty ? [] : [UInt8(ascii: ",")]
            beginning = Array(json.dropLast(2)) + comma
        }

        /// The request's body, which aims at one device.
        func aimed(at field: String, _ handle: String) -> [UInt8] {
            let quote = UInt8(ascii: "\"")
            var body: [UInt8] = []
            body.reserveCapacity(beginning.count + field.utf8.count + handle.utf8.count + 8)
            body += beginning
            body.append(quote)
            body += field.utf8
            body += [quote, UInt8(ascii: ":")]
            // A handle has visible characters alone, and JSON escapes two of them.
            if handle.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: "\\") }) {
                body += JSONTree.string(Array(handle.utf8)).json
            } else {
                body.append(quote)
                body += handle.utf8
                body.append(quote)
            }
            body += [UInt8(ascii: "}"), UInt8(ascii: "}")]
            return body
        }
    }

    /// Says how long it is worth keeping.
    ///
    /// A sender's own shorter time for Android stays. Blocks for Apple and browsers get a time only
    /// where the sender has them.
    mutating func setLife(seconds: UInt64, expires: Timestamp) {
        var left = min(seconds, Self.secondsMax)
        if let own = Self.text(self["android"]?.member("ttl")), own.last == UInt8(ascii: "s"),
            let whole = ASCII.decimal(own.dropLast().prefix { $0 != UInt8(ascii: ".") })
        {
            left = min(left, whole)
        }
        set(["android", "ttl"], "\(left)s")
        if self["apns"]?.member("headers") != nil {
            let moment = seconds == 0 ? 0 : expires.milliseconds / 1_000
            set(["apns", "headers", "apns-expiration"], "\(moment)")
        }
        if self["webpush"]?.member("headers") != nil {
            set(["webpush", "headers", "TTL"], "\(seconds)")
        }
    }

    /// Asks for delivery at once, unless the sender says a priority itself.
    mutating func setHighPriority() {
        guard self["android"]?.member("priority") == nil else { return }
        set(["android", "priority"], "high")
    }

    /// The message for any device.
    var untargeted: Untargeted {
        Untargeted(
            members.filter { member in
                !Self.targets.contains { member.name.elementsEqual($0.utf8) }
            }
        )
    }

    private subscript(_ name: String) -> JSONTree? { JSONTree.object(members).member(name) }

    /// Values of data are strings; some names are Google's own.
    private func checkData() throws(RelayVerdict) {
        guard let data = self["data"] else { return }
        guard case .object(let values) = data else {
            throw RelayVerdict(.content, Self.format, "data is not an object")
        }
        for value in values {
            let name = String(decoding: value.name, as: UTF8.self)
            guard case .string = value.value else {
                throw RelayVerdict(.content, Self.format, "data.\(name) is not a string")
            }
            let isReserved =
                ["from", "gcm", "message_type"].contains(name) || name.hasPrefix("google")
            guard !isReserved else {
                throw RelayVerdict(.content, Self.format, "data.\(name) is a reserved name")
            }
        }
    }

    private static func text(_ value: JSONTree?) -> [UInt8]? {
        guard case .string(let text)? = value else { return nil }
        return text
    }

    private mutating func set(_ path: [String], _ value: String) {
        members = Self.setting(path[...], .string(Array(value.utf8)), in: members)
    }

    /// Recursion is three levels deep at most.
    private static func setting(
        _ path: ArraySlice<String>,
        _ value: JSONTree,
        in members: [JSONMember]
    ) -> [JSONMember] {
        guard let name = path.first else { return members }
        var changed = members
        let place = members.lastIndex { ASCII.equal($0.name, name.utf8) }
        var inner: [JSONMember] = []
        if let place, case .object(let found) = members[place].value { inner = found }
        let next =
            path.count == 1 ? value : .object(setting(path.dropFirst(), value, in: inner))
        if let place {
            changed[place].value = next
        } else {
            changed.append(JSONMember(name, next))
        }
        return changed
    }
}
