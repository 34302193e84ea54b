-- runs-with: 4
-- Finds the newest changes of anybody without looking at all of them. Programs work without it, and
-- ask more slowly then.

CREATE INDEX journal_by_change ON hoga.journal (change);
