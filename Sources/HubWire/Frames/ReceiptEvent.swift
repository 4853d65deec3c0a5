/// An event in the life of a notification on the device; an unknown number is kept as it is.
package enum ReceiptEvent: UInt8, CaseIterable, Sendable {
    case stored = 1
    case displayed = 2
    case opened = 3
    case dismissed = 4
    case actionChosen = 5
    case undecodable = 6
    case expired = 7
    case suppressed = 8
    case duplicate = 9
}
