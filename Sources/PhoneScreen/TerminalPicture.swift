import DeviceEmulator
import FoundationEssentials
import HubVocabulary

/// How a terminal draws pictures; the bytes go to it as base 64, so that nothing in them is a
/// control sequence.
package enum TerminalPicture: Equatable, Sendable {
    /// The graphics of kitty, which take PNG.
    case kitty
    /// The inline images of iTerm2, which take what the terminal can read.
    case iTerm2

    /// Characters of one piece of kitty's; more must be cut.
    static let kittyPieceMax = 4_096
    /// Bytes of a picture that is drawn; a larger one is opened elsewhere.
    package static let bytesMax = 4_194_304
    /// Pixels of a cell where the terminal does not say.
    private static let cell = (width: 8, height: 16)
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns the way of drawing that the environment tells of the terminal.
    ///
    /// Nil when the terminal draws nothing, or when a multiplexer would not let pictures pass.
    package static func detected(in environment: [String: String]) -> TerminalPicture? {
        let terminal = environment["TERM"] ?? ""
        guard environment["TMUX"] == nil, environment["STY"] == nil,
            !terminal.hasPrefix("screen"), !terminal.hasPrefix("tmux")
        else { return nil }
        let program = environment["TERM_PROGRAM"] ?? ""
        if environment["KITTY_WINDOW_ID"] != nil || terminal == "xterm-kitty"
            || terminal == "xterm-ghostty" || program == "ghostty"
        {
            return .kitty
        }
        if program == "iTerm.app" || program == "WezTerm"
            || environment["LC_TERMINAL"] == "iTerm2"
        {
            return .iTerm2
        }
        return nil
    }

    /// Returns the text that draws a picture within some cells; nil when the terminal cannot.
    ///
    /// It is drawn as large as it is, or smaller where there is less room.
    package func text(
        of bytes: [UInt8],
        mediaType: String,
        columns: Int,
        rows: Int
    ) -> String? {
        let isPNG = bytes.starts(with: Self.pngSignature)
        guard ContentFile.isImage(mediaType), !bytes.isEmpty, bytes.count <= Self.bytesMax,
            isPNG || self == .iTerm2
        else { return nil }
        let room = (columns: max(1, columns), rows: max(1, rows))
        let base64 = Base64.encode(bytes)
        switch self {
        case .kitty: return Self.kitty(base64, Self.limit(of: bytes, room))
        case .iTerm2:
            let limit = isPNG ? Self.limit(of: bytes, room) : .rows(room.rows)
            return Self.iTerm2(base64, bytes.count, limit)
        }
    }

    /// The text that removes the pictures from the screen before it is drawn anew.
    package var clearing: String { self == .kitty ? "\u{1B}_Ga=d,q=2\u{1B}\\" : "" }

    /// How a picture is made to fit.
    private enum Limit {
        case none
        case columns(Int)
        case rows(Int)
    }

    /// Which side of a PNG picture must be made smaller.
    private static func limit(of bytes: [UInt8], _ room: (columns: Int, rows: Int)) -> Limit {
        guard bytes.count >= 24 else { return .rows(room.rows) }
        func number(_ start: Int) -> Int {
            bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let (width, height) = (number(16), number(20))
        let (most, highest) = (room.columns * cell.width, room.rows * cell.height)
        guard width > most || height > highest else { return .none }
        // Compared as products, so that nothing is divided by a picture of no size.
        let isWide = width * highest > height * most
        return isWide ? .columns(room.columns) : .rows(room.rows)
    }

    private static func kitty(_ base64: String, _ limit: Limit) -> String {
        var head = "a=T,f=100,q=2"
        switch limit {
        case .none: break
        case .columns(let count): head += ",c=\(count)"
        case .rows(let count): head += ",r=\(count)"
        }
        var result = ""
        var rest = base64[...]
        repeat {
            let piece = rest.prefix(kittyPieceMax)
            rest = rest.dropFirst(kittyPieceMax)
            let isFirst = result.isEmpty
            result +=
                "\u{1B}_G\(isFirst ? head + "," : "")m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
        } while !rest.isEmpty
        return result
    }

    private static func iTerm2(_ base64: String, _ size: Int, _ limit: Limit) -> String {
        let side =
            switch limit {
            case .none: ""
            case .columns(let count): ";width=\(count)"
            case .rows(let count): ";height=\(count)"
            }
        return
            "\u{1B}]1337;File=inline=1;size=\(size);preserveAspectRatio=1\(side):\(base64)\u{07}"
    }
}
