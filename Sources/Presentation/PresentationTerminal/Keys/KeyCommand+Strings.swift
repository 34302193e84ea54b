public import ViewStates

extension KeyCommand {
    /// A short description of the command.
    public var summary: LocalizedText {
        Self.summaries[self] ?? LocalizedText(ko: rawValue, en: rawValue)
    }

    static let summaries: [KeyCommand: LocalizedText] = Dictionary(
        uniqueKeysWithValues: (commonWords + listWords + pageWords + detailWords + chartWords).map {
            command,
            korean,
            english in
            (command, LocalizedText(ko: korean, en: english))
        }
    )

    private static let commonWords: [(KeyCommand, String, String)] = [
        (.rowsUp, "한 줄 위로", "a row up"),
        (.rowsDown, "한 줄 아래로", "a row down"),
        (.rowsPageUp, "한 쪽 위로", "a page up"),
        (.rowsPageDown, "한 쪽 아래로", "a page down"),
        (.rowsFirst, "처음으로", "to the first row"),
        (.rowsLast, "끝으로", "to the last row"),
        (.pageMarket, "거래소 화면", "the screen of markets"),
        (.pageAssets, "입출금 화면", "the screen of deposits"),
        (.pagePortfolio, "보유자산 화면", "the screen of holdings"),
        (.pageMore, "더보기 화면", "the screen about hoga"),
        (.back, "닫기·지우기·되돌리기", "close, clear, back"),
        (.help, "도움말 열기·닫기", "open or close the help"),
        (.quit, "종료", "quit"),
        (.reload, "새로고침·재시도", "reload, retry"),
        (.periodMenu, "변동률 기간 메뉴", "menu of the periods of change"),
        (.menuConfirm, "메뉴에서 고르기", "take what is marked in the menu"),
        (.panelClose, "닫기", "close the panel"),
    ]

    private static let listWords: [(KeyCommand, String, String)] = [
        (.listOpen, "상세 열기", "open the detail"),
        (.listDetail, "목록 옆의 상세로", "to the detail beside the list"),
        (.listSort, "다음 정렬 기준", "next sort key"),
        (.listDirection, "정렬 방향 뒤집기", "turn the direction of the sort"),
        (.tabsNext, "다음 탭", "next tab"),
        (.tabsPrevious, "이전 탭", "previous tab"),
        (.popularityRule, "인기 순위 기준", "rule of popularity"),
        (.favoriteToggle, "관심 담기·빼기", "star, unstar"),
        (.favoritePin, "관심을 위에 고정", "pin the starred above"),
        (.favoriteUp, "관심 순서 위로", "move the starred one up"),
        (.favoriteDown, "관심 순서 아래로", "move the starred one down"),
        (.searchBegin, "검색 시작", "begin to search"),
        (.searchOpen, "찾은 마켓 열기", "open what was found"),
        (.searchUp, "검색하며 위로", "up while searching"),
        (.searchDown, "검색하며 아래로", "down while searching"),
        (.searchDelete, "검색어 한 글자 지우기", "delete a character"),
        (.searchDeleteWord, "검색어 한 단어 지우기", "delete a word"),
        (.searchClear, "검색어 모두 지우기", "empty the search field"),
        (.searchLeave, "검색란 나가기", "leave the search field"),
    ]

    private static let pageWords: [(KeyCommand, String, String)] = [
        (.assetsOpen, "마켓 열기", "open the market of the coin"),
        (.filterNext, "다음 입출금 상태", "next state of coins"),
        (.filterPrevious, "이전 입출금 상태", "previous state of coins"),
        (.holdingAdd, "자산 추가", "add a coin"),
        (.holdingEdit, "표시한 줄 수정", "correct the marked row"),
        (.holdingRemove, "자산 삭제", "remove a coin"),
        (.holdingOpen, "마켓 열기", "open the market of the coin"),
        (.cashEdit, "현금 입력", "enter the cash"),
        (.formSubmit, "다음·저장", "next field, save"),
        (.formNext, "다음 칸", "next field"),
        (.formPrevious, "이전 칸", "previous field"),
        (.formDelete, "한 글자 지우기", "delete a character"),
        (.formDeleteWord, "한 단어 지우기", "delete a word"),
        (.formClear, "칸 비우기", "empty the field"),
        (.formCancel, "취소·닫기", "cancel, close"),
        (.questionYes, "예", "yes"),
        (.questionNo, "아니오", "no"),
        (.lookTheme, "다음 테마", "next theme"),
        (.lookColors, "다른 등락 색상", "the other colours of up and down"),
        (.lookLanguage, "다른 언어", "the other language"),
    ]

    private static let detailWords: [(KeyCommand, String, String)] = [
        (.paneBook, "호가 창", "the order book"),
        (.paneChart, "차트 창", "the chart"),
        (.paneTrades, "시세 창", "the trades"),
        (.paneNext, "다음 창", "next pane"),
        (.panePrevious, "이전 창", "previous pane"),
        (.scrollUp, "한 줄 위로", "a row up"),
        (.scrollDown, "한 줄 아래로", "a row down"),
        (.scrollPageUp, "한 쪽 위로", "a page up"),
        (.scrollPageDown, "한 쪽 아래로", "a page down"),
        (.scrollFirst, "처음으로", "to the first row"),
        (.scrollLast, "끝으로", "to the last row"),
        (.bookCenter, "가운데로", "spread in the middle"),
        (.bookMore, "호가 더 보기", "more levels"),
        (.bookFewer, "호가 덜 보기", "fewer levels"),
        (.bookStepNext, "다음 모아보기 단위", "next price step"),
        (.bookStepPrevious, "이전 모아보기 단위", "previous price step"),
        (.tradesDays, "체결·일별", "trades, days"),
    ]

    private static let chartWords: [(KeyCommand, String, String)] = [
        (.chartEarlier, "과거로", "earlier"),
        (.chartLater, "최근으로", "later"),
        (.chartPageEarlier, "한 쪽 과거로", "a page earlier"),
        (.chartPageLater, "한 쪽 최근으로", "a page later"),
        (.chartNewest, "지금으로", "to the newest"),
        (.chartShorter, "더 짧은 봉", "shorter interval"),
        (.chartLonger, "더 긴 봉", "longer interval"),
        (.chartZoomIn, "확대", "zoom in"),
        (.chartZoomOut, "축소", "zoom out"),
        (.chartCrosshair, "십자선", "cross-hair"),
        (.chartAverages, "이동평균", "averages"),
        (.chartVolume, "거래량", "volume"),
        (.chartVolumeTaller, "거래량 높게", "taller volume"),
        (.chartVolumeLower, "거래량 낮게", "lower volume"),
        (.chartLine, "봉·선", "candles, line"),
        (.chartTicks, "틱 차트", "line of trades"),
        (.chartPercent, "퍼센트 축", "axis in per cent"),
    ]
}
