"""The statements of the program and parameters with which each one finds rows."""

import hashlib
import os

from processes import ROOT

FILE = os.path.join(ROOT, "Tests", "DataSourcesTests", "PostgreSQL", "Releases", "next.sql")


def statements():
    """Returns the text of each statement by name, without those that are no query."""
    found = {}
    with open(FILE, encoding="utf-8") as file:
        for part in file.read().split(";\n"):
            lines = [line for line in part.strip().split("\n") if line]
            if lines:
                found[lines[0].removeprefix("-- ")] = "\n".join(lines[1:])
    return found


def array(values):
    return "'{" + ",".join(values) + "}'"


class Parameters:
    """Types and values of each statement's parameters, as SQL literals."""

    def __init__(self, user, mark, end, markets):
        self.user = user
        names = [f"M{n:03}_KRW" for n in range(1, markets + 1)]
        symbols = [f"X{n:03}" for n in range(1, markets + 1)]
        at = f"'{end}'"
        before = [f"'{end}'::timestamptz - interval '{hours} hours'" for hours in range(27)]
        tokens = [hashlib.sha256(f"token{n}".encode()).hexdigest() for n in range(1, 11)]
        me = ("bigint", str(user))
        feed = ("text", "'live'")
        market = ("text", "'M007_KRW'")
        minute = ("text", "'1m'")
        lease = [("text", "'candles-live'"), ("text", "'bench'"), ("bigint", "1")]
        limits = [("text", "'30s'"), ("text", "'5s'"), ("text", "'10s'")]
        times = ("timestamptz[]", array([f'"{end}"'] * markets))
        all_names = ("text[]", array(names))
        numbers = ("numeric[]", array(["1000.5"] * markets))
        last_hour = [("timestamptz", before[1]), ("timestamptz", at)]
        kinds = ("text[]", "'{1m}'")
        # Older than all that is kept, as at almost every hourly removal.
        old = ("timestamptz", f"{at}::timestamptz - interval '40 days'")
        span = (("timestamptz[]", f"ARRAY[{before[1]}]"),
                ("timestamptz[]", f"ARRAY[{at}]::timestamptz[]"))
        self._settings = limits
        self._values = {
            "settle": limits, "settle_user": [("text", f"'{user}'"), *limits],
            "read_personal": [me, ("bigint", "100")], "read_change_count": [me], "lock_user": [me],
            "rewrite_user": [me], "remove_favorites": [me], "remove_cash": [me],
            "read_journal": [me, ("bigint", "20")],
            "append_favorites": [me, ("text[]", "'{N001_KRW,N002_KRW}'")],
            "remove_favorite": [me, ("text", f"'M{1 + (int(user) * 7) % markets:03}_KRW'")],
            "put_settings": [me, *[("text", "'a'")] * 4, ("boolean", "true"), ("text", "'24H'"),
                             *[("text", "'a'")] * 3, ("bigint", "15"), *[("text", "'a'")] * 4],
            "put_holding": [me, ("text", "'N001'"), ("text", "'1.5'"), ("text", "'1000'")],
            "remove_holding": [me, ("text", f"'M{1 + (int(user) + 1) % markets:03}'")],
            "put_cash": [me, ("text", "'5'")], "put_display_name": [me, ("text", "'New'")],
            "record_change": [me, ("timestamptz", at), ("text", "'cash.put'"), ("text", "NULL"),
                              *[("bigint", "1")] * 6],
            "put_alert_rule": [me, ("bigint", "1"), ("text", "'M001_KRW > 5'"), feed,
                               ("text", "NULL"), ("timestamptz", at), ("timestamptz", "NULL")],
            "remove_alert_rule": [me, ("bigint", "2")],
            "put_alerts_seen": [me, ("bigint", "9")],
            "read_alert_log": [me, ("bigint", "NULL"), ("bigint", "100")],
            "read_alert_owners": [feed, ("bigint[]", f"'{{{user}}}'"), ("bigint", "0"),
                                  ("bigint", "1000")],
            "read_alert_books": [feed], "read_alert_changes": [("text", f"'{mark}'")],
            "store_alerts": [*lease, feed, ("timestamptz", at), ("bigint[]", f"'{{{user}}}'"),
                             ("bigint[]", "'{1}'"), ("text[]", "'{M001_KRW}'"),
                             ("timestamptz[]", array([f'"{end}"'])), ("numeric[]", "'{5}'"),
                             ("bigint[]", "'{1}'"), ("text[]", "'{NULL}'"),
                             ("timestamptz[]", "'{2026-01-01 00:00+00}'"),
                             ("text[]", "'{state}'")],
            "read_webhook": [me], "remove_webhook": [me],
            "read_dead_letters": [me, ("bigint", "100")],
            "put_webhook": [me, ("text", "'https://example.com'"), ("bytea", "'\\x00'"),
                            ("timestamptz", at)],
            "read_webhook_deliveries": [feed, ("bigint[]", f"'{{{user}}}'"), ("bigint", "0"),
                                        ("bigint", "1000")],
            "record_webhook_attempts": [feed, ("bigint[]", f"'{{{user}}}'"), ("bigint[]", "'{20}'"),
                                        ("timestamptz[]", "'{2026-01-01 00:00+00}'"),
                                        ("timestamptz[]", array([f'"{end}"'])),
                                        ("text[]", "'{NULL}'"), ("bigint[]", "'{0}'"),
                                        ("bigint[]", "'{0}'"), ("timestamptz[]", "'{NULL}'"),
                                        ("timestamptz[]", "'{NULL}'")],
            "read_alert_values": [feed],
            "save_alert_values": [*lease, feed, ("text[]", array(["line"] * 1000))],
            "find_token": [("bytea", f"'\\x{tokens[0]}'")],
            "find_tokens": [("text[]", array(tokens))],
            "read_own_tokens": [("bytea", f"'\\x{tokens[0]}'")],
            "add_own_token": [("bytea", f"'\\x{tokens[0]}'"), ("bytea", "sha256('own')"),
                              ("text", "'read'"), ("timestamptz", "NULL"), ("text", "NULL"),
                              *[("bigint", "100")] * 2],
            "revoke_own_token": [("bytea", f"'\\x{tokens[0]}'"), ("bigint", "1")],
            "read_news": [("text", f"'{mark}'")],
            "tell_changes": [("text[]", "'{1,2,3}'")],
            "notify": [("text", "'hoga_bench'"), ("text", "'1'")],
            "take_lease": [("text", "'candles-live'"), ("text", "'bench'"),
                           ("bigint", "3000000")],
            "renew_lease": [*lease, ("bigint", "3000000")], "release_lease": lease,
            "hold_lease": lease,
            "write_candles": [*lease, feed, minute, all_names, times, *[numbers] * 5, times],
            "join_spans": [feed, market, minute, *span], "join_coverage": [feed, *span],
            "read_candles": [feed, market, minute, ("bigint", "200"), ("timestamptz", "NULL")],
            "read_coverage": [feed], "read_minute_spans": [feed], "read_rolled": [feed],
            "read_late": [feed, ("bigint", "1000")],
            "remove_late": [feed, ("text[]", "'{M001_KRW}'"),
                            ("timestamptz[]", f"ARRAY[{before[2]}]")],
            "read_markets": [
                feed, *last_hour,
                ("timestamptz", f"date_trunc('day', {at}::timestamptz - interval '1 hour')"),
                ("timestamptz", f"date_trunc('day', {at}::timestamptz) + interval '1 day'")],
            "roll_up": [feed, ("text", "'30m'"), ("text[]", array(names[:64])),
                        ("bigint", "1800000000"), *last_hour],
            "join_rolled": [feed, ("text", "''"), ("text", "'3m'"), *last_hour],
            "prepare_partitions": [*lease, ("timestamptz", at)],
            "drop_partition": [*lease, ("text", "'candles_1m'"), old],
            "remove_rest_of_1m": [old], "remove_rest_of_minutes": [old],
            "remove_candles": [kinds, old], "remove_spans": [kinds, old],
            "cut_spans": [kinds, old], "remove_rolled": [kinds, old], "cut_rolled": [kinds, old],
            "remove_coverage": [old], "cut_coverage": [old],
            "prune_journals": [*lease, ("bigint", "0"), ("bigint", "1000")],
            "keep_closes": [feed, all_names, ("text[]", array(["1000.5"] * markets)), times,
                            ("text[]", array(["5e9"] * markets)),
                            ("bigint[]", array(["1"] * markets))],
            "read_closes": [feed], "remove_names": [feed],
            "insert_names": [feed, *[("text[]", array(symbols))] * 3], "read_names": [feed],
            "remove_warnings": [feed], "insert_warnings": [feed, ("text[]", array(symbols[:20]))],
            "remove_alerts": [feed],
            "insert_alerts": [("text", "'simulated'"), *[("text[]", array(symbols[:20]))] * 3,
                              ("timestamptz[]", array([f'"{end}"'] * 20))],
            "read_marks": [feed], "note_reading": [feed, ("text", "'names'"), ("timestamptz", at)],
        }

    def values(self, name):
        """Returns the parameters of a statement; none if it is not known to have any."""
        return self._values.get(name, [])

    def settings(self, name):
        """Returns the statements that begin the transaction of a statement."""
        limits = ", ".join(
            f"set_config('{key}', {value}, true)"
            for key, (_, value) in zip(
                ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"],
                self._settings))
        rolling = ["read_coverage", "read_minute_spans", "read_rolled", "read_late", "read_markets",
                   "roll_up", "join_rolled", "remove_late"]
        more = [statements()["plan_by_key"]] if name in rolling else []
        return [f"SELECT set_config('app.user_id', '{self.user}', true), {limits}, "
                "set_config('jit', 'off', true), "
                "set_config('max_parallel_workers_per_gather', '0', true), "
                # As for the unnamed statements of the program: with the parameters' values.
                "set_config('plan_cache_mode', 'force_custom_plan', true)", *more]
