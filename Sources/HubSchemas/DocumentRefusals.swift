/// Meanings of the statuses of refusals, whichever operation answers them.
///
/// Source: REST §2.6, §3.6.
package enum DocumentRefusals {
    /// The meaning of each status.
    package static let texts: [Int: String] = [
        400: "A part of the request is wrong; the detail names it and says why.",
        401: "No token, or one that is malformed, forged, expired or for another resource.",
        403:
            "The token lacks a right, a tag is protected, a limit of numbers is reached, or an address "
            + "that needs no token is not, or no longer, valid.",
        404: "The hub, or what the path names in it, does not exist.",
        408: "The body did not arrive in time.",
        409: "Something with this name exists, or something else was done with the same key.",
        410: "The id was deleted and cannot be used again.",
        411: "The head announces no body: neither `Content-Length` nor chunks; HTTP/1 only.",
        412: "`If-Match` does not fit.",
        413: "The body, or a part of it, is too large.",
        415: "The body is of a type that cannot be read.",
        416: "The range begins behind the end.",
        429: "Too much at once.",
        500: "A defect of the hub; the number in the detail leads to the log.",
        503: "Nothing can be stored now; nothing was.",
        507: "The disk is full; nothing was stored.",
    ]

    /// The statuses that come with `Retry-After`.
    ///
    /// Source: REST §2.4.
    package static let patient: Set<Int> = [429, 503, 507]
}
