/// Records of a part of the log that lists name.
package struct LogCandidates: Hashable, Sendable {
    /// Sequence numbers, ascending, each once.
    package var sequences: [UInt64]
    /// Everything up to here was looked at.
    package var through: UInt64

    /// Makes a part's answer.
    package init(sequences: [UInt64], through: UInt64) {
        self.sequences = sequences
        self.through = through
    }
}
