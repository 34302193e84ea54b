-- runs-with: 1
-- The visible panes of a market: 'chart-book' or 'chart'; NULL for all of them. Programs of 0.1.0
-- keep working beside it.
ALTER TABLE settings ADD COLUMN market_layout TEXT CHECK (length(market_layout) <= 40);
