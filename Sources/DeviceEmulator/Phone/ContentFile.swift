/// How content lies in the app's folder.
package enum ContentFile {
    /// The ending of a file's name; nothing of it comes from the network.
    static func ending(of mediaType: String) -> String {
        switch essence(mediaType) {
        case "image/png": "png"
        case "image/jpeg": "jpg"
        case "image/gif": "gif"
        case "image/webp": "webp"
        case "audio/mpeg": "mp3"
        case "audio/wav": "wav"
        case "audio/ogg": "ogg"
        case "audio/mp4": "m4a"
        case "video/mp4": "mp4"
        case "video/webm": "webm"
        case "text/uri-list", "text/plain": "txt"
        case "application/json": "json"
        default: "bin"
        }
    }

    /// Whether content is a picture that has an ending of its own.
    package static func isImage(_ mediaType: String) -> Bool {
        ["png", "jpg", "gif", "webp"].contains(ending(of: mediaType))
    }

    /// Whether content is a sound or a film that has an ending of its own.
    package static func isPlayed(_ mediaType: String) -> Bool {
        ["mp3", "wav", "ogg", "m4a", "mp4", "webm"].contains(ending(of: mediaType))
    }

    /// Whether content can be shown as text.
    static func isText(_ mediaType: String) -> Bool {
        ["text/uri-list", "text/plain", "application/json"].contains(essence(mediaType))
    }

    private static func essence(_ mediaType: String) -> String {
        String(mediaType.prefix { $0 != ";" && $0 != " " }).lowercased()
    }
}
