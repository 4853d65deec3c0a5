import HubWire

/// The RESULT that a rule asks for.
enum ExpectedAnswer {
    /// Throws unless a RESULT has a status; nil is success.
    static func expect(
        _ result: ResultFrame?,
        _ number: ErrorNumber?,
        _ what: String
    ) throws(KitFault) {
        guard let result else { throw .broken(expected: "\(what): RESULT", came: "none") }
        guard result.status != number?.rawValue ?? 0 else { return }
        throw .broken(
            expected: "\(what): RESULT \(number?.name ?? "success")",
            came: "status 0x\(String(result.status, radix: 16)) '\(result.detail)'"
        )
    }
}
