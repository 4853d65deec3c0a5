import HubParcel

/// Parcels with their compressed payload, as a device gets them.
///
/// The first byte chooses the largest payload accepted. Properties: the payload has exactly the
/// length that the parcel claims and never more than is accepted; the fields of a parcel that an
/// encoder may make survive encoding with every codec.
package func fuzzParcel(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let maxPayload = [0, 64, 8_192, 65_536][Int(bytes[0] & 3)]
    do throws(ParcelError) {
        let view = try ParcelView(decoding: bytes.dropping(1))
        checkFields(view)
        var inflater = ParcelInflater()
        let payload = try inflater.payload(of: view, maxPayload: maxPayload)
        precondition(payload.count == Int(view.rawLength), "\(payload.count) bytes inflated")
        precondition(payload.count <= maxPayload, "more than accepted")
        let again = try inflater.payload(of: view, maxPayload: maxPayload)
        precondition(again == payload, "the inflater keeps something of a parcel")
        checkEncoding(description(of: view, payload: payload))
    } catch {
        precondition(!error.rawValue.isEmpty)
    }
}

private func checkFields(_ view: borrowing ParcelView) {
    precondition(view.collapseKey.count <= ParcelLimits.collapseKeyBytesMax)
    precondition(view.ttlSeconds <= ParcelLimits.ttlSecondsMax)
    precondition(view.platform ?? 0 <= ParcelLimits.platformMax)
    for header in view.headers() {
        precondition(!header.name.isEmpty, "a header without a name")
        let text = String(decoding: header.name + header.value, as: UTF8.self)
        precondition(Array(text.utf8) == header.name + header.value, "a header that isn't UTF-8")
    }
}

private func description(of view: borrowing ParcelView, payload: [UInt8]) -> ParcelDescription {
    ParcelDescription(
        id: view.id,
        ttlSeconds: view.ttlSeconds,
        urgency: view.urgency,
        contentType: view.contentType,
        collapseKey: view.collapseKey.copied,
        platform: view.platform ?? 0,
        isTemplate: view.isTemplate,
        headers: view.headers(),
        wantsStoredReceipt: view.wantsStoredReceipt,
        wantsUserReceipt: view.wantsUserReceipt,
        isSilent: view.isSilent,
        payload: payload
    )
}

private func checkEncoding(_ parcel: ParcelDescription) {
    guard parcel.fault == nil else { return }
    var deflater = ParcelDeflater()
    var inflater = ParcelInflater()
    for codec in ParcelCodec.allCases {
        do throws(ParcelEncodingError) {
            let bytes = try deflater.encode(parcel, codec: codec)
            do throws(ParcelError) {
                let view = try ParcelView(decoding: bytes.span)
                let payload = try inflater.payload(
                    of: view,
                    maxPayload: ParcelLimits.payloadBytesMax
                )
                let copy = description(of: view, payload: payload)
                precondition(copy.id == parcel.id && copy.ttlSeconds == parcel.ttlSeconds)
                precondition(copy.urgency == parcel.urgency && copy.platform == parcel.platform)
                precondition(copy.contentType == parcel.contentType)
                precondition(copy.collapseKey == parcel.collapseKey)
                precondition(copy.headers == parcel.headers && copy.payload == parcel.payload)
                precondition(copy.isSilent == parcel.isSilent)
                precondition(copy.isTemplate == parcel.isTemplate)
                precondition(copy.wantsUserReceipt == parcel.wantsUserReceipt)
                precondition(copy.wantsStoredReceipt == parcel.wantsStoredReceipt)
            } catch { preconditionFailure("an encoded parcel is refused: \(error)") }
        } catch { preconditionFailure("without a fault, and yet: \(error)") }
    }
}
