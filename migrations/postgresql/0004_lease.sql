-- runs-with: 1
-- Which process writes market data, of each feed. Its clock is this server's.

CREATE TABLE hoga.instance_lease (
    -- candles-live or candles-simulated
    name text COLLATE "C" PRIMARY KEY,
    -- A name that no other process has.
    holder text COLLATE "C" NOT NULL,
    -- Grows whenever it is taken: whoever writes names the one that it was given.
    epoch bigint NOT NULL CHECK (epoch > 0),
    -- Until when it is held, or was.
    expires_at timestamptz NOT NULL,
    -- Makes epoch a part of a key. Taking the lease changes it, and therefore waits for all who
    -- hold the row with FOR KEY SHARE: who writes does, until the write is done. Renewing it
    -- changes no key, and waits for no write.
    UNIQUE (name, epoch)
);

GRANT SELECT, INSERT ON hoga.instance_lease TO hoga_app;
GRANT UPDATE (holder, epoch, expires_at) ON hoga.instance_lease TO hoga_app;

-- Makes sure that a lease is held until the transaction ends, or fails with HG001: whoever calls it
-- first in a transaction writes nothing as somebody who was the holder once.
CREATE FUNCTION hoga.hold_lease(lease_name text, lease_holder text, lease_epoch bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM FROM hoga.instance_lease AS lease
    WHERE lease.name = lease_name AND lease.holder = lease_holder AND lease.epoch = lease_epoch
        AND lease.expires_at > clock_timestamp()
    FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE SQLSTATE 'HG001' USING MESSAGE = 'the lease is not held';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION hoga.hold_lease(text, text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.hold_lease(text, text, bigint) TO hoga_app;
