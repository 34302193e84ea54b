import Testing
import WebSocketFraming

@Suite("A framer gives the messages of RFC 6455")
struct WebSocketFramerTests {
    @Test("A masked text message of the RFC reaches the server")
    func smoke() throws {
        var server = WebSocketFramer(
            role: .server,
            messageBytesMax: 1 << 20,
            outputBytesMax: 1 << 20
        )
        var client = WebSocketFramer(
            role: .client(maskKey: { 0x3d21_fa37 }),
            messageBytesMax: 1 << 20,
            outputBytesMax: 1 << 20
        )
        try client.queueText(Array("Hello".utf8))
        let out = client.takeOutput()
        #expect(
            out == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        )
        try server.receive(out)
        #expect(server.takeMessages() == WebSocketMessages(bytes: Array("Hello".utf8), ends: [5]))
    }
}
