import HubWire

extension KitDevice {
    /// Waits for GAP, and takes its position.
    func expectGap() throws(KitFault) -> GapFrame {
        let frame = try expect(.gap, "GAP in front of what follows")
        let gap = try read(frame) { body, header throws(WireError) in
            try GapFrame(decoding: body, header: header)
        }
        guard gap.from == position.sequence else {
            throw .broken(expected: "GAP from \(position.sequence)", came: "from \(gap.from)")
        }
        position.sequence = gap.to
        position.check = gap.check
        return gap
    }
}
