/// An error that a server reports, by its SQLSTATE.
package struct ServerRefusal: Hashable, Sendable {
    /// The causes that the hub tells apart.
    package enum Cause: Hashable, Sendable {
        /// A division by zero, which is how a statement of ours refuses to go on.
        case fence
        /// Another session made the same row, table or schema.
        case alreadyThere
        /// Two transactions wait for each other; repeating helps.
        case deadlock
        /// The server only reads: a standby.
        case readOnly
        /// The disk is full.
        case diskFull
        /// The role may not do it.
        case forbidden
        /// The server found damage.
        case damaged
        /// Anything else.
        case other
    }

    /// Five characters.
    package let state: String
    /// The server's primary message, in its language; without values of rows.
    package let message: String

    /// Takes what the server said.
    package init(state: String, message: String) {
        self.state = state
        self.message = message
    }

    /// The meaning of the state.
    ///
    /// Source: PostgreSQL's manual, appendix A.
    package var cause: Cause {
        switch state {
        case "22012": .fence
        case "23505", "42P06", "42P07", "42710": .alreadyThere
        case "40001", "40P01": .deadlock
        case "25006": .readOnly
        case "53100": .diskFull
        case "42501": .forbidden
        case "XX001", "XX002": .damaged
        default: .other
        }
    }
}

extension ServerRefusal: CustomStringConvertible {
    package var description: String { "\(message) (SQLSTATE \(state))" }
}
