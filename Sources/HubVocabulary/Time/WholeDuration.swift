extension Duration {
    /// Nanoseconds, with everything below zero as zero and everything too large as the largest.
    package var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (product, overflow) = UInt64(components.seconds)
            .multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .max }
        let (sum, carried) = product.addingReportingOverflow(
            UInt64(components.attoseconds / 1_000_000_000)
        )
        return carried ? .max : sum
    }

    /// Milliseconds, rounded down, with everything below zero as zero.
    package var wholeMilliseconds: UInt64 { wholeNanoseconds / 1_000_000 }
}
