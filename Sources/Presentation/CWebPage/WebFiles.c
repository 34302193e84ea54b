// Embeds the files of the page. #embed takes no time for a file of 161 kB; SwiftPM's embedInCode,
// which writes an array literal in Swift, takes 30 to 50 seconds of a processor for it.
#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char account_js[] = {
#embed "../WebPage/Assets/account.js"
};
static const unsigned char alerts_js[] = {
#embed "../WebPage/Assets/alerts.js"
};
static const unsigned char book_levels_js[] = {
#embed "../WebPage/Assets/book-levels.js"
};
static const unsigned char candle_chart_js[] = {
#embed "../WebPage/Assets/candle-chart.js"
};
static const unsigned char candle_drawing_js[] = {
#embed "../WebPage/Assets/candle-drawing.js"
};
static const unsigned char candle_legend_js[] = {
#embed "../WebPage/Assets/candle-legend.js"
};
static const unsigned char dialogs_js[] = {
#embed "../WebPage/Assets/dialogs.js"
};
static const unsigned char dom_js[] = {
#embed "../WebPage/Assets/dom.js"
};
static const unsigned char header_js[] = {
#embed "../WebPage/Assets/header.js"
};
static const unsigned char hoga_js[] = {
#embed "../WebPage/Assets/hoga.js"
};
static const unsigned char icon_svg[] = {
#embed "../WebPage/Assets/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../WebPage/Assets/index.html"
};
static const unsigned char keys_js[] = {
#embed "../WebPage/Assets/keys.js"
};
static const unsigned char lightweight_charts_js[] = {
#embed "../WebPage/Assets/lightweight-charts.js"
};
static const unsigned char lists_css[] = {
#embed "../WebPage/Assets/lists.css"
};
static const unsigned char market_choice_js[] = {
#embed "../WebPage/Assets/market-choice.js"
};
static const unsigned char market_header_js[] = {
#embed "../WebPage/Assets/market-header.js"
};
static const unsigned char market_list_js[] = {
#embed "../WebPage/Assets/market-list.js"
};
static const unsigned char market_parts_js[] = {
#embed "../WebPage/Assets/market-parts.js"
};
static const unsigned char market_row_js[] = {
#embed "../WebPage/Assets/market-row.js"
};
static const unsigned char market_strings_js[] = {
#embed "../WebPage/Assets/market-strings.js"
};
static const unsigned char market_css[] = {
#embed "../WebPage/Assets/market.css"
};
static const unsigned char market_js[] = {
#embed "../WebPage/Assets/market.js"
};
static const unsigned char messages_js[] = {
#embed "../WebPage/Assets/messages.js"
};
static const unsigned char order_book_js[] = {
#embed "../WebPage/Assets/order-book.js"
};
static const unsigned char page_css[] = {
#embed "../WebPage/Assets/page.css"
};
static const unsigned char page_js[] = {
#embed "../WebPage/Assets/page.js"
};
static const unsigned char personal_view_js[] = {
#embed "../WebPage/Assets/personal-view.js"
};
static const unsigned char portfolio_js[] = {
#embed "../WebPage/Assets/portfolio.js"
};
static const unsigned char settings_js[] = {
#embed "../WebPage/Assets/settings.js"
};
static const unsigned char sign_in_js[] = {
#embed "../WebPage/Assets/sign-in.js"
};
static const unsigned char streams_js[] = {
#embed "../WebPage/Assets/streams.js"
};
static const unsigned char strings_js[] = {
#embed "../WebPage/Assets/strings.js"
};
static const unsigned char trades_js[] = {
#embed "../WebPage/Assets/trades.js"
};
static const unsigned char transfers_js[] = {
#embed "../WebPage/Assets/transfers.js"
};
static const unsigned char user_js[] = {
#embed "../WebPage/Assets/user.js"
};
static const unsigned char virtual_rows_js[] = {
#embed "../WebPage/Assets/virtual-rows.js"
};

static const struct hoga_web_file files[] = {
    {"account.js", account_js, sizeof account_js},
    {"alerts.js", alerts_js, sizeof alerts_js},
    {"book-levels.js", book_levels_js, sizeof book_levels_js},
    {"candle-chart.js", candle_chart_js, sizeof candle_chart_js},
    {"candle-drawing.js", candle_drawing_js, sizeof candle_drawing_js},
    {"candle-legend.js", candle_legend_js, sizeof candle_legend_js},
    {"dialogs.js", dialogs_js, sizeof dialogs_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"header.js", header_js, sizeof header_js},
    {"hoga.js", hoga_js, sizeof hoga_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"keys.js", keys_js, sizeof keys_js},
    {"lightweight-charts.js", lightweight_charts_js, sizeof lightweight_charts_js},
    {"lists.css", lists_css, sizeof lists_css},
    {"market-choice.js", market_choice_js, sizeof market_choice_js},
    {"market-header.js", market_header_js, sizeof market_header_js},
    {"market-list.js", market_list_js, sizeof market_list_js},
    {"market-parts.js", market_parts_js, sizeof market_parts_js},
    {"market-row.js", market_row_js, sizeof market_row_js},
    {"market-strings.js", market_strings_js, sizeof market_strings_js},
    {"market.css", market_css, sizeof market_css},
    {"market.js", market_js, sizeof market_js},
    {"messages.js", messages_js, sizeof messages_js},
    {"order-book.js", order_book_js, sizeof order_book_js},
    {"page.css", page_css, sizeof page_css},
    {"page.js", page_js, sizeof page_js},
    {"personal-view.js", personal_view_js, sizeof personal_view_js},
    {"portfolio.js", portfolio_js, sizeof portfolio_js},
    {"settings.js", settings_js, sizeof settings_js},
    {"sign-in.js", sign_in_js, sizeof sign_in_js},
    {"streams.js", streams_js, sizeof streams_js},
    {"strings.js", strings_js, sizeof strings_js},
    {"trades.js", trades_js, sizeof trades_js},
    {"transfers.js", transfers_js, sizeof transfers_js},
    {"user.js", user_js, sizeof user_js},
    {"virtual-rows.js", virtual_rows_js, sizeof virtual_rows_js},
};

const struct hoga_web_file *hoga_web_files(void) {
    return files;
}

size_t hoga_web_file_count(void) {
    return sizeof files / sizeof files[0];
}
