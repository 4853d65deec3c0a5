/// A secondary tile and its channel.
package struct InstallationTile: Equatable, Sendable {
    /// The tile's name.
    package var name: [UInt8]
    /// Where it is reached, and with what.
    package var channel: InstallationChannel

    /// Makes one of its parts.
    package init(name: [UInt8], channel: InstallationChannel) {
        self.name = name
        self.channel = channel
    }
}
