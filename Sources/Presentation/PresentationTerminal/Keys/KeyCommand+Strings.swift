public import ViewStates

extension KeyCommand {
    /// A short description of the command.
    public var summary: LocalizedText {
        Self.summaries[self] ?? LocalizedText(ko: rawValue, en: rawValue)
    }

    static let summaries: [KeyCommand: LocalizedText] =
        [common, lists, pages, detail, chart].reduce(into: [:]) { all, group in
            all.merge(group) { first, _ in first }
        }

    private static let common: [KeyCommand: LocalizedText] = [
        .rowsUp: LocalizedText(ko: "한 줄 위로", en: "up one row"),
        .rowsDown: LocalizedText(ko: "한 줄 아래로", en: "down one row"),
        .rowsPageUp: LocalizedText(ko: "한 페이지 위로", en: "up one page"),
        .rowsPageDown: LocalizedText(ko: "한 페이지 아래로", en: "down one page"),
        .rowsFirst: LocalizedText(ko: "처음으로", en: "to the first row"),
        .rowsLast: LocalizedText(ko: "끝으로", en: "to the last row"),
        .pageMarket: LocalizedText(ko: "거래소 화면", en: "open the market list"),
        .pageAssets: LocalizedText(ko: "입출금 화면", en: "open deposits and withdrawals"),
        .pagePortfolio: LocalizedText(ko: "보유자산 화면", en: "open the portfolio"),
        .pageMore: LocalizedText(ko: "더보기 화면", en: "open More"),
        .pageAlerts: LocalizedText(ko: "알림 화면", en: "open the alerts"),
        .back: LocalizedText(ko: "닫기·지우기·되돌리기", en: "close, clear, undo"),
        .help: LocalizedText(ko: "도움말 열기·닫기", en: "open or close the help"),
        .paletteOpen: LocalizedText(ko: "코인·화면·기능 바로가기", en: "go to a coin, screen or command"),
        .quit: LocalizedText(ko: "종료", en: "quit"),
        .reload: LocalizedText(ko: "새로고침·재시도", en: "reload, retry"),
        .periodMenu: LocalizedText(ko: "변동률 기간 메뉴", en: "open the change period menu"),
        .menuConfirm: LocalizedText(ko: "메뉴 항목 선택", en: "confirm the selected item"),
        .panelClose: LocalizedText(ko: "닫기", en: "close the panel"),
    ]

    private static let lists: [KeyCommand: LocalizedText] = [
        .listOpen: LocalizedText(ko: "상세 열기", en: "open the selected market"),
        .listDetail: LocalizedText(ko: "목록 옆 상세로 이동", en: "focus the market beside the list"),
        .listSort: LocalizedText(ko: "다음 정렬 기준", en: "next sort key"),
        .listDirection: LocalizedText(ko: "정렬 방향 전환", en: "reverse the sort direction"),
        .tabsNext: LocalizedText(ko: "다음 탭", en: "next tab"),
        .tabsPrevious: LocalizedText(ko: "이전 탭", en: "previous tab"),
        .copyValue: LocalizedText(ko: "선택한 값·줄 복사", en: "copy the marked value or row"),
        .copyScreen: LocalizedText(ko: "화면을 글자로 복사", en: "copy the screen as text"),
        .popularityRule: LocalizedText(ko: "인기 순위 기준", en: "explain the popularity ranking"),
        .favoriteToggle: LocalizedText(ko: "관심 추가·해제", en: "add or remove a favorite"),
        .favoritePin: LocalizedText(ko: "관심을 위에 고정", en: "pin favorites above the list"),
        .favoriteUp: LocalizedText(ko: "관심 순서 위로", en: "move a favorite up"),
        .favoriteDown: LocalizedText(ko: "관심 순서 아래로", en: "move a favorite down"),
        .searchBegin: LocalizedText(ko: "검색 시작", en: "start a search"),
        .searchOpen: LocalizedText(ko: "찾은 마켓 열기", en: "open the selected result"),
        .searchUp: LocalizedText(ko: "검색 결과 위로", en: "up in the results"),
        .searchDown: LocalizedText(ko: "검색 결과 아래로", en: "down in the results"),
        .searchDelete: LocalizedText(ko: "검색어 한 글자 지우기", en: "delete a character"),
        .searchDeleteWord: LocalizedText(ko: "검색어 한 단어 지우기", en: "delete a word"),
        .searchClear: LocalizedText(ko: "검색어 모두 지우기", en: "clear the search field"),
        .searchLeave: LocalizedText(ko: "검색란 나가기", en: "leave the search field"),
        .searchPalette: LocalizedText(ko: "검색란에서 바로가기", en: "open the palette"),
    ]

    private static let pages: [KeyCommand: LocalizedText] = [
        .assetsOpen: LocalizedText(ko: "마켓 열기", en: "open the coin's market"),
        .filterNext: LocalizedText(ko: "다음 입출금 상태", en: "next state filter"),
        .filterPrevious: LocalizedText(ko: "이전 입출금 상태", en: "previous state filter"),
        .holdingAdd: LocalizedText(ko: "자산 추가", en: "add a coin"),
        .holdingEdit: LocalizedText(ko: "선택한 줄 수정", en: "edit the selected row"),
        .holdingRemove: LocalizedText(ko: "자산 삭제", en: "remove a coin"),
        .holdingOpen: LocalizedText(ko: "마켓 열기", en: "open the coin's market"),
        .cashEdit: LocalizedText(ko: "현금 입력", en: "edit the cash"),
        .nameEdit: LocalizedText(ko: "표시 이름 입력", en: "edit the display name"),
        .alertOpen: LocalizedText(ko: "마켓 열기·규칙 수정", en: "open the market, edit the rule"),
        .alertAdd: LocalizedText(ko: "알림 추가", en: "add an alert"),
        .alertRemove: LocalizedText(ko: "알림 규칙 삭제", en: "remove an alert rule"),
        .alertsSection: LocalizedText(ko: "알림·규칙 전환", en: "switch between alerts and rules"),
        .formSubmit: LocalizedText(ko: "다음·저장", en: "next field, save"),
        .formNext: LocalizedText(ko: "다음 항목", en: "next field"),
        .formPrevious: LocalizedText(ko: "이전 항목", en: "previous field"),
        .formDelete: LocalizedText(ko: "한 글자 지우기", en: "delete a character"),
        .formDeleteWord: LocalizedText(ko: "한 단어 지우기", en: "delete a word"),
        .formClear: LocalizedText(ko: "입력 지우기", en: "clear the field"),
        .formCancel: LocalizedText(ko: "취소·닫기", en: "cancel, close"),
        .questionYes: LocalizedText(ko: "예", en: "yes"),
        .questionNo: LocalizedText(ko: "아니오", en: "no"),
        .lookTheme: LocalizedText(ko: "다음 테마", en: "next theme"),
        .lookColors: LocalizedText(ko: "등락 색상 전환", en: "switch up and down colors"),
        .lookLanguage: LocalizedText(ko: "언어 전환", en: "switch the language"),
    ]

    private static let detail: [KeyCommand: LocalizedText] = [
        .paneBook: LocalizedText(ko: "호가 창", en: "focus the order book"),
        .paneChart: LocalizedText(ko: "차트 창", en: "focus the chart"),
        .paneTrades: LocalizedText(ko: "시세 창", en: "focus the trades"),
        .marketNext: LocalizedText(ko: "목록의 다음 마켓", en: "next market of the list"),
        .marketPrevious: LocalizedText(ko: "목록의 이전 마켓", en: "previous market of the list"),
        .paneNext: LocalizedText(ko: "다음 창", en: "next pane"),
        .panePrevious: LocalizedText(ko: "이전 창", en: "previous pane"),
        .paneMaximize: LocalizedText(ko: "창 크게, 원래대로", en: "maximize the pane, and back"),
        .paneLayout: LocalizedText(ko: "배치 바꾸기", en: "next layout"),
        .scrollUp: LocalizedText(ko: "한 줄 위로", en: "up one row"),
        .scrollDown: LocalizedText(ko: "한 줄 아래로", en: "down one row"),
        .scrollPageUp: LocalizedText(ko: "한 페이지 위로", en: "up one page"),
        .scrollPageDown: LocalizedText(ko: "한 페이지 아래로", en: "down one page"),
        .scrollFirst: LocalizedText(ko: "처음으로", en: "to the first row"),
        .scrollLast: LocalizedText(ko: "끝으로", en: "to the last row"),
        .bookCenter: LocalizedText(ko: "가운데로", en: "center the spread"),
        .bookMore: LocalizedText(ko: "호가 늘리기", en: "more levels"),
        .bookFewer: LocalizedText(ko: "호가 줄이기", en: "fewer levels"),
        .bookStepNext: LocalizedText(ko: "다음 모아보기 단위", en: "next price step"),
        .bookStepPrevious: LocalizedText(ko: "이전 모아보기 단위", en: "previous price step"),
        .tradesDays: LocalizedText(ko: "체결·일별 전환", en: "switch between trades and days"),
    ]

    private static let chart: [KeyCommand: LocalizedText] = [
        .chartEarlier: LocalizedText(ko: "과거로", en: "earlier"),
        .chartLater: LocalizedText(ko: "최근으로", en: "later"),
        .chartPageEarlier: LocalizedText(ko: "한 페이지 과거로", en: "one page earlier"),
        .chartPageLater: LocalizedText(ko: "한 페이지 최근으로", en: "one page later"),
        .chartNewest: LocalizedText(ko: "최신으로", en: "to the newest candle"),
        .chartShorter: LocalizedText(ko: "더 짧은 봉", en: "shorter interval"),
        .chartLonger: LocalizedText(ko: "더 긴 봉", en: "longer interval"),
        .chartZoomIn: LocalizedText(ko: "확대", en: "zoom in"),
        .chartZoomOut: LocalizedText(ko: "축소", en: "zoom out"),
        .chartCrosshair: LocalizedText(ko: "십자선", en: "cross-hair"),
        .chartAverages: LocalizedText(ko: "이동평균·지표 선택", en: "choose averages and panes"),
        .chartVolume: LocalizedText(ko: "거래량", en: "show or hide the volume"),
        .chartVolumeTaller: LocalizedText(ko: "거래량 높이 늘리기", en: "enlarge the volume pane"),
        .chartVolumeLower: LocalizedText(ko: "거래량 높이 줄이기", en: "shrink the volume pane"),
        .chartLine: LocalizedText(ko: "봉·선 전환", en: "switch between candles and line"),
        .chartTicks: LocalizedText(ko: "틱 차트", en: "tick chart"),
        .chartPercent: LocalizedText(ko: "퍼센트 축", en: "percent axis"),
        .chartComparison: LocalizedText(ko: "다른 마켓과 비교", en: "compare with a market"),
        .chartSave: LocalizedText(ko: "파일로 저장", en: "save as SVG or text"),
    ]
}
