import TestSupport
import Testing
import WebSocketFraming

@Suite("A framer closes by RFC 6455 with one frame each way")
struct WebSocketCloseTests {
    @Test(
        "the peer's code and reason are stored, and its code is sent back",
        arguments: [1000, 1001, 1003, 1007, 1011, 1012, 1014, 3000, 4999]
    )
    func peerCloses(code: UInt16) throws {
        var client = WebSocketFramer.client()
        let last = WebSocketFrame.text("last").bytes
        try client.receive(last + WebSocketFrame.close(code: code, reason: "점검").bytes)
        #expect(client.takeMessages().texts == ["last"])
        #expect(client.peerClose == WebSocketClose(code: code, reason: "점검"))
        #expect(client.isClosing == true)
        #expect(client.closeCodes == [code])
        #expect(throws: WebSocketError.closing) { try client.queueText([1]) }
    }

    @Test("bytes after the peer's close are ignored, even invalid ones", arguments: [true, false])
    func bytesBehindClose(together: Bool) throws {
        var client = WebSocketFramer.client()
        let close = WebSocketFrame.close(code: 1000).bytes
        let behind = WebSocketFrame.text("late").bytes + [0xff, 0xff, 0xff]
        if together {
            try client.receive(close + behind)
        } else {
            try client.receive(close)
            try client.receive(behind)
        }
        #expect(client.hasMessages == false)
        #expect(client.closeCodes == [1000])
    }

    @Test("messages arrive after a local close until the peer closes")
    func ownClose() throws {
        var client = WebSocketFramer.client()
        try client.queueClose(code: 1001, reason: "going away")
        #expect(client.closeCodes == [1001])
        try client.receive(WebSocketFrame.text("on the way").bytes)
        #expect(client.takeMessages().texts == ["on the way"])
        try client.receive(WebSocketFrame.close(code: 1001).bytes)
        #expect(client.peerClose?.code == 1001)
        #expect(client.hasOutput == false, "a close is not answered twice")
    }

    @Test("a second close throws closing")
    func closedTwice() throws {
        var client = WebSocketFramer.client()
        try client.queueClose(code: 1000)
        #expect(throws: WebSocketError.closing) { try client.queueClose(code: 1000) }
    }

    @Test("a ping before a queued close stays unanswered")
    func pingBeforeClose() throws {
        var client = WebSocketFramer.client()
        try client.receive(WebSocketFrame(WebSocketFrame.Opcode.ping, [1]).bytes)
        try client.queueClose(code: 1000)
        try client.receive(WebSocketFrame(WebSocketFrame.Opcode.ping, [2]).bytes)
        let frames = WebSocketFrame.frames(in: client.takeOutput()).frames
        #expect(frames.map(\.opcode) == [WebSocketFrame.Opcode.close])
    }

    @Test("a long reason is truncated between characters", arguments: [122, 123, 124, 200])
    func longReason(byteCount: Int) throws {
        var server = WebSocketFramer.server()
        // One leading letter, so that characters of three bytes end at 121 and 124.
        let reason = "a" + String(repeating: "원", count: (byteCount - 1) / 3)
        try server.queueClose(code: 1000, reason: reason)
        let frame = try #require(WebSocketFrame.frames(in: server.takeOutput()).frames.first)
        #expect(frame.payload.count <= 125)
        let sent = try #require(String(validating: frame.payload.dropFirst(2), as: UTF8.self))
        #expect(reason.hasPrefix(sent))
        #expect(sent.utf8.count == min(reason.utf8.count, 121))
    }
}
