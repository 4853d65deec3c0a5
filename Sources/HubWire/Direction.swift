/// Which side sent the bytes.
package enum Direction: UInt8, CaseIterable, Sendable {
    case deviceToHub
    case hubToDevice
}
