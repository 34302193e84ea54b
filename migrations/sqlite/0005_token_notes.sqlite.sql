-- runs-with: 1
-- What the owner calls a token; NULL for none. Programs of 0.1.0 keep working beside it.
ALTER TABLE api_tokens ADD COLUMN note TEXT CHECK (note <> '' AND length(note) <= 400);
