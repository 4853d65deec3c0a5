/// The registrations of a session; the first, which is most often the only one, lies in the session
/// itself.
package struct SessionRegistrations: RandomAccessCollection {
    private var head: SessionRegistration?
    private var others: [SessionRegistration] = []

    /// None.
    package init() {}

    /// These, in this order.
    package init(_ registrations: [Registration]) {
        for registration in registrations { append(SessionRegistration(registration)) }
    }

    /// Always 0.
    package var startIndex: Int { 0 }
    /// How many there are.
    package var endIndex: Int { head == nil ? 0 : others.count + 1 }

    /// The registration in a place.
    package subscript(position: Int) -> SessionRegistration {
        get {
            if position > 0 { return others[position - 1] }
            guard let head else { preconditionFailure("there is no registration") }
            return head
        }
        set {
            if position > 0 {
                others[position - 1] = newValue
            } else {
                precondition(head != nil, "there is no registration")
                head = newValue
            }
        }
    }

    /// Adds one behind the others.
    package mutating func append(_ registration: SessionRegistration) {
        if head == nil {
            head = registration
        } else {
            others.append(registration)
        }
    }

    /// Removes the one in a place.
    @discardableResult
    package mutating func remove(at position: Int) -> SessionRegistration {
        let removed = self[position]
        if position > 0 {
            others.remove(at: position - 1)
        } else {
            head = others.isEmpty ? nil : others.removeFirst()
        }
        if others.isEmpty { others = [] }
        return removed
    }
}
