import CConsoleAssets
import Crypto
import HubVocabulary
package import Hummingbird

/// A file of the console, whose address has the hash of its content.
package struct ConsoleAsset: Sendable {
    /// Its name, as editors know it.
    package let name: String
    let type: String
    /// Its bytes.
    package let content: ByteBuffer
    /// Where browsers find it; another content has another address.
    package let address: String

    static let styles = unsafe ConsoleAsset(
        "console.css",
        "text/css; charset=utf-8",
        belfry_console_css()
    )
    static let script = unsafe ConsoleAsset(
        "console.js",
        "text/javascript; charset=utf-8",
        belfry_console_js()
    )
    static let icon = unsafe ConsoleAsset(
        "icons.svg",
        "image/svg+xml",
        belfry_console_icons()
    )

    /// All of them.
    package static let all = [styles, script, icon]

    private init(_ name: String, _ type: String, _ asset: belfry_asset) {
        self.name = name
        self.type = type
        // The bytes are constants of the program.
        let bytes = unsafe UnsafeBufferPointer(start: asset.bytes, count: asset.count)
        content = unsafe ByteBuffer(bytes: bytes)
        let hash = unsafe HexText.lowercase(SHA256.hash(data: bytes)).prefix(16)
        address = "/$belfry/ui/a/\(hash)/\(name)"
    }
}
