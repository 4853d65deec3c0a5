import DeviceEmulator
import Foundation
import HubClient
import PhoneScreen
import Testing

@Suite("Pictures")
struct PictureTests {
    /// A PNG head with a size, and some bytes.
    private static func png(_ width: UInt32, _ height: UInt32, bytes count: Int = 64) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        for number in [width, height] {
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        // A sequence that a terminal would obey, were it not encoded.
        bytes += Array("\u{1B}]0;owned\u{07}".utf8)
        return bytes + [UInt8](repeating: 0x1B, count: max(0, count - bytes.count))
    }

    @Test(
        "terminals that draw are known by what they say of themselves",
        arguments: [
            ([:], nil), (["TERM": "xterm-256color"], nil),
            (["TERM": "xterm-kitty"], .kitty), (["KITTY_WINDOW_ID": "1", "TERM": "xterm"], .kitty),
            (["TERM": "xterm-ghostty"], .kitty), (["TERM_PROGRAM": "ghostty"], .kitty),
            (["TERM_PROGRAM": "iTerm.app"], .iTerm2), (["TERM_PROGRAM": "WezTerm"], .iTerm2),
            (["LC_TERMINAL": "iTerm2"], .iTerm2), (["TERM_PROGRAM": "vscode"], nil),
            (["KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux"], nil),
            (["KITTY_WINDOW_ID": "1", "TERM": "screen-256color"], nil),
            (["LC_TERMINAL": "iTerm2", "TERM": "tmux-256color"], nil),
            (["TERM": "xterm-kitty", "STY": "1.pts"], nil),
        ] as [([String: String], TerminalPicture?)]
    )
    func detection(_ environment: [String: String], _ expected: TerminalPicture?) {
        #expect(TerminalPicture.detected(in: environment) == expected)
    }

    @Test("kitty gets the whole picture in pieces, as base 64 and nothing else")
    func kitty() throws {
        let bytes = Self.png(10, 10, bytes: 7_000)
        let text = try #require(
            TerminalPicture.kitty.text(of: bytes, mediaType: "image/png", columns: 80, rows: 20)
        )
        let pieces = text.components(separatedBy: "\u{1B}\\")
        #expect(pieces.last?.isEmpty == true)
        var base64 = ""
        for (index, piece) in pieces.dropLast().enumerated() {
            let parts = piece.components(separatedBy: ";")
            try #require(parts.count == 2 && piece.hasPrefix("\u{1B}_G"), "\(piece.prefix(40))")
            let isLast = index == pieces.count - 2
            let head = index == 0 ? "\u{1B}_Ga=T,f=100,q=2,m=" : "\u{1B}_Gm="
            #expect(parts[0] == head + (isLast ? "0" : "1"))
            #expect(parts[1].utf8.count <= 4_096 && !parts[1].contains("\u{1B}"))
            base64 += parts[1]
        }
        #expect(pieces.count == 4)
        #expect(Data(base64Encoded: base64) == Data(bytes))
        #expect(!text.contains("owned"))
    }

    @Test("iTerm2 gets it in one piece")
    func iTerm2() throws {
        let bytes = Self.png(10, 10)
        let text = try #require(
            TerminalPicture.iTerm2.text(of: bytes, mediaType: "image/png", columns: 80, rows: 20)
        )
        let base64 = Data(bytes).base64EncodedString()
        #expect(
            text == "\u{1B}]1337;File=inline=1;size=64;preserveAspectRatio=1:\(base64)\u{07}"
        )
    }

    @Test(
        "a picture is as large as it is, and smaller where there is less room",
        arguments: [
            (640, 320, ""), (641, 320, ",c=80"), (640, 321, ",r=20"), (6_400, 3_200, ",r=20"),
            (6_401, 3_200, ",c=80"), (0, 0, ""), (UInt32.max, UInt32.max, ",r=20"),
        ] as [(UInt32, UInt32, String)]
    )
    func size(_ width: UInt32, _ height: UInt32, _ expected: String) throws {
        let text = try #require(
            TerminalPicture.kitty.text(
                of: Self.png(width, height),
                mediaType: "image/png",
                columns: 80,
                rows: 20
            )
        )
        #expect(text.hasPrefix("\u{1B}_Ga=T,f=100,q=2\(expected),m=0;"), "\(width) \(height)")
    }

    @Test("what is no picture, or none for this terminal, or too large is not drawn")
    func refusals() {
        let png = Self.png(8, 8)
        func isDrawn(
            _ kind: TerminalPicture,
            _ bytes: [UInt8],
            _ type: String = "image/png"
        ) -> Bool {
            kind.text(of: bytes, mediaType: type, columns: 80, rows: 20) != nil
        }
        #expect(isDrawn(.kitty, png) && isDrawn(.kitty, Array(png.prefix(8))))
        #expect(!isDrawn(.kitty, Array("not a PNG".utf8)))
        #expect(!isDrawn(.kitty, [0xFF, 0xD8, 0xFF], "image/jpeg"))
        #expect(isDrawn(.iTerm2, [0xFF, 0xD8, 0xFF], "image/jpeg"))
        #expect(!isDrawn(.iTerm2, png, "text/html") && !isDrawn(.iTerm2, png, "image/svg+xml"))
        #expect(!isDrawn(.iTerm2, []))
        let most = Self.png(8, 8, bytes: TerminalPicture.bytesMax)
        #expect(isDrawn(.iTerm2, most) && isDrawn(.kitty, most))
        #expect(!isDrawn(.iTerm2, most + [0]) && !isDrawn(.kitty, most + [0]))
        #expect(TerminalPicture.kitty.clearing == "\u{1B}_Ga=d,q=2\u{1B}\\")
        #expect(TerminalPicture.iTerm2.clearing.isEmpty)
    }

    @Test("a viewer is the user's wish, or the desktop's where there is one")
    func viewer() throws {
        let programs: Set<String> = ["/usr/bin/xdg-open", "/opt/feh", "/usr/bin/feh", "./here"]
        func viewer(_ wish: String?, _ environment: [String: String]) throws -> [String]? {
            try PictureViewer(wish: wish, environment: environment) { programs.contains($0) }
                .map { [$0.program] + $0.arguments }
        }
        let path = ["PATH": "relative:/bin:/usr/bin"]
        let desktop = path.merging(["DISPLAY": ":0"]) { $1 }
        #expect(try viewer(nil, path) == nil)
        #expect(try viewer(nil, desktop) == ["/usr/bin/xdg-open"])
        #expect(try viewer(nil, path.merging(["WAYLAND_DISPLAY": "w"]) { $1 }) != nil)
        #expect(try viewer(nil, path.merging(["DISPLAY": ""]) { $1 }) == nil)
        #expect(try viewer(nil, ["DISPLAY": ":0", "PATH": "/bin"]) == nil)
        #expect(try viewer("none", desktop) == nil)
        #expect(try viewer("feh --fullscreen -Z", path) == ["/usr/bin/feh", "--fullscreen", "-Z"])
        #expect(try viewer("/opt/feh", [:]) == ["/opt/feh"])
        for wrong in ["", "  ", "missing", "/opt/none", "feh;ls"] {
            #expect(throws: PhoneFault.self, "\(wrong)") { try viewer(wrong, desktop) }
        }
        for (type, isOpened) in [
            ("image/png", true), ("image/JPEG; q=1", true), ("video/mp4", true),
            ("audio/ogg", true), ("text/html", false), ("text/uri-list", false),
            ("application/json", false), ("image/svg+xml", false), ("", false),
            ("application/x-desktop", false),
        ] {
            #expect(PictureViewer.opens(type) == isOpened, "\(type)")
        }
    }

    @Test("a picture stands under its entry, where there is room for it")
    func room() {
        let snapshot = PhoneSnapshot(
            user: "alice",
            isLoggedIn: true,
            hasBackend: true,
            hasListenKey: false,
            hasSendKey: false,
            platform: .apple,
            categories: [],
            locale: nil,
            entries: []
        )
        var screen = AppScreen(snapshot, secondsFromUTC: 0)
        #expect(screen.pictureRoom(columns: 80, rows: 24) == nil)
        let item = PhoneLine.Item(number: 1, id: "", text: "Look", receivedAt: 0)
        let content = PhoneLine.OpenedContent(
            mediaType: "image/png",
            bytes: 64,
            path: "/phone/content/1.png"
        )
        screen.receive(.opened(PhoneLine.Opened(item, content: content)))
        let room = screen.pictureRoom(columns: 80, rows: 24)
        let frame = screen.frame(columns: 80, rows: 24).text
        let last = frame.lastIndex { $0.contains("/phone/content/1.png") }
        #expect(last != nil && room?.row == last.map { $0 + 2 }, "\(frame)")
        #expect(room.map { $0.row + $0.rows } == 22)
        #expect(screen.pictureRoom(columns: 80, rows: 7) == nil)
        for rows in 1...30 {
            guard let room = screen.pictureRoom(columns: 10, rows: rows) else { continue }
            #expect(room.rows >= 3 && room.row + room.rows <= rows - 2, "\(rows)")
        }
    }
}
