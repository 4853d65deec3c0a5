/// How the device listener is reached from here.
package struct LinkFacts: Sendable {
    /// The answer of the program that listens there.
    package enum Answer: Sendable {
        /// The hub's listener.
        case hub
        /// None in time.
        case none
        /// TLS of another certificate, or without the protocol of devices.
        case stranger
    }

    /// Host and port.
    package var place: String
    /// The answer from there.
    package var answer: Answer

    /// Makes one of its parts.
    package init(place: String, answer: Answer) {
        self.place = place
        self.answer = answer
    }
}
