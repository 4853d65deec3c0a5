import HubModel
import HubVocabulary

/// Where the next page of a list begins: 24 hex digits, the number and a check over hub, filter and
/// number.
///
/// Only letters and digits, because clients disagree on whether to encode it once more. The check
/// finds tokens that were cut, mixed up or made up; it is no secret, since a token only says where
/// in a list one may go on that the caller may read anyway.
///
/// Source: REST §4.9.
enum ContinuationToken {
    /// The token that goes on behind a registration.
    static func make(
        after number: RegistrationNumber,
        of filter: RegistrationFilter,
        in hub: HubName
    ) -> String {
        HexText.digits(number.raw) + HexText.digits(check(number, filter, hub))
    }

    /// The number a token goes on behind.
    ///
    /// - Throws: `.invalid` for anything this hub did not give out for this filter.
    static func read(
        _ token: [UInt8],
        of filter: RegistrationFilter,
        in hub: HubName
    ) throws(Refusal) -> RegistrationNumber {
        let decoded = PercentCoding.decodeLeniently(token, plusIsSpace: false)
        guard let raw: UInt32 = HexText.number(decoded.prefix(8)) else { throw .foreignToken }
        let number = RegistrationNumber(raw)
        guard Array(make(after: number, of: filter, in: hub).utf8) == decoded else {
            throw .foreignToken
        }
        return number
    }

    /// FNV-1a over everything the token depends on; `$top` may change between pages.
    private static func check(
        _ number: RegistrationNumber,
        _ filter: RegistrationFilter,
        _ hub: HubName
    ) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var parts: [[UInt8]] = [Array(hub.description.utf8), Array(String(number.raw).utf8)]
        switch filter {
        case .all: parts.append(Array("all".utf8))
        case .tag(let tag): parts += [Array("tag".utf8), tag]
        case .handle(let handles): parts += [Array("handle".utf8)] + handles
        }
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // No byte of UTF-8: keeps neighbouring parts apart.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return hash
    }
}
