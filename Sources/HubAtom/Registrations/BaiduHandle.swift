package import HubModel
package import HubVocabulary

/// Baidu's two-part handle and its one spelling in the core: `USERID-CHANNELID`, or the channel
/// alone when there is no user.
///
/// It is taken apart at its first `-`; a user that this would not find is kept beside it.
package struct BaiduHandle: Equatable {
    /// May be empty.
    package let user: [UInt8]
    /// Never empty.
    package let channel: [UInt8]

    /// Both parts as clients give them.
    package init(user: [UInt8], channel: [UInt8]) {
        self.user = user
        self.channel = channel
    }

    /// The parts of a registration's handle.
    package init(of content: RegistrationContent) {
        guard let kept = content.platformFields.first(where: { $0.name == Self.userField }),
            kept.value.count <= content.handle.count
        else {
            self.init(joined: content.handle)
            return
        }
        let user = kept.value == Self.none ? [] : kept.value
        let rest = content.handle.dropFirst(user.isEmpty ? 0 : user.count + 1)
        self.init(user: user, channel: Array(rest))
    }

    /// The field kept beside the handle; nil when its parts are found without it.
    package var field: NamedValue? {
        guard BaiduHandle(joined: joined) != self else { return nil }
        return NamedValue(name: Self.userField, value: user.isEmpty ? Self.none : user)
    }

    private static let userField = Array("BaiduUserId".utf8)
    /// Stands for no user; no user's id begins with `-`.
    private static let none = [UInt8(ascii: "-")]

    /// Takes a joined handle apart at its first `-`.
    package init(joined: [UInt8]) {
        let dash = joined.firstIndex(of: UInt8(ascii: "-"))
        user = dash.map { Array(joined[..<$0]) } ?? []
        channel = dash.map { Array(joined[($0 + 1)...]) } ?? joined
    }

    /// The spelling of the core.
    package var joined: [UInt8] { user.isEmpty ? channel : user + [UInt8(ascii: "-")] + channel }
}
