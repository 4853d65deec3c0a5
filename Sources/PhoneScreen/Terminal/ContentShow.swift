import DeviceEmulator
import Foundation

/// Shows what an app's user has opened.
///
/// It is drawn in the terminal where that has graphics, otherwise opened with the desktop's viewer
/// where there is one. Where the file lies is told in any case.
struct ContentShow: Sendable {
    /// How the terminal draws; nil when it does not.
    let picture: TerminalPicture?
    /// The program that opens files; nil for none.
    let viewer: PictureViewer?

    /// For a user's wish as `--viewer` has it.
    /// - Throws: `PhoneFault` when it names no program.
    init(viewer wish: String?) throws(PhoneFault) {
        let environment = ProcessInfo.processInfo.environment
        picture = isatty(STDOUT_FILENO) == 1 ? TerminalPicture.detected(in: environment) : nil
        viewer = try PictureViewer(wish: wish, environment: environment) { path in
            FileManager.default.isExecutableFile(atPath: path)
        }
    }

    /// Returns the text that draws an opened entry's content in the terminal; nil when it cannot be
    /// drawn.
    func drawn(_ line: PhoneLine.Opened, columns: Int, rows: Int) -> String? {
        guard let picture, let content = line.content,
            let bytes = FileManager.default.contents(atPath: content.path)
        else { return nil }
        return picture.text(
            of: [UInt8](bytes),
            mediaType: content.mediaType,
            columns: columns,
            rows: rows
        )
    }

    /// Starts the viewer with an opened entry's content and waits for nothing.
    func open(_ line: PhoneLine.Opened) {
        guard let viewer, let content = line.content, PictureViewer.opens(content.mediaType)
        else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: viewer.program)
        // Absolute, so that it begins with no dash; its name is made of an id and an ending.
        process.arguments = viewer.arguments + [URL(fileURLWithPath: content.path).path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Where the file lies has been told, so a viewer that does not start loses nothing.
        try? process.run()
    }
}
