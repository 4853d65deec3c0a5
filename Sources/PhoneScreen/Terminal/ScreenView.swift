import DeviceEmulator

/// The view of the screen on a terminal, with the picture of an opened entry over it.
struct ScreenView {
    private let show: ContentShow
    private let hasColours: Bool
    /// The entry that was opened last, when the terminal draws its picture.
    private var pictured: PhoneLine.Opened?
    private var last: ScreenFrame?
    private var hasPicture = false

    init(_ show: ContentShow, hasColours: Bool) {
        self.show = show
        self.hasColours = hasColours
    }

    /// An entry was opened: its content is drawn with the next frame, or opened elsewhere.
    mutating func open(_ line: PhoneLine.Opened) {
        pictured = nil
        if show.drawn(line, columns: 1, rows: 1) == nil { show.open(line) } else { pictured = line }
    }

    /// The terminal has changed: its contents are not known.
    mutating func forget() { last = nil }

    /// Returns the text for the terminal.
    ///
    /// It is empty when the terminal shows the screen already, so that a picture is not sent with
    /// every key.
    mutating func text(of screen: AppScreen) -> String {
        let size = RawTerminal.size
        let frame = screen.frame(columns: size.columns, rows: size.rows)
        guard frame != last else { return "" }
        last = frame
        var text = hasPicture ? (show.picture?.clearing ?? "") : ""
        hasPicture = false
        text += frame.terminalText(hasColours: hasColours)
        if let room = screen.pictureRoom(columns: size.columns, rows: size.rows) {
            if let pictured,
                let picture = show.drawn(pictured, columns: size.columns, rows: room.rows)
            {
                text += "\u{1B}[\(room.row + 1);1H" + picture
                hasPicture = true
            }
        } else {
            pictured = nil
        }
        return text
    }
}
