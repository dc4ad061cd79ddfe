"""What is PostgreSQL's alone: whose rows are seen, who may open, who waits for whom, what is told."""

import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.postgres import fresh, made, named
from tests.knowledge.test_conformance import lesson, record, result, soon
from tests.knowledge.test_store import add, urls
from veridic.errors import DeadlineExceeded, MissingExtra, StoreDamaged, StoreMissing, StoreUnavailable
from veridic.knowledge.base import Knowledge, is_held, open_knowledge, open_store
from veridic.knowledge.connection import KnowledgeStore, Members
from veridic.knowledge.postgres import halfvec, words
from veridic.knowledge.postgres.partitions import TABLES, partition
from veridic.knowledge.postgres.statements import translated
from veridic.resources import held_knowledge_base
from veridic.settings import Settings, shown_kb

ROOT = Path(__file__).parents[2]
OWN = (*TABLES, "meta", "counter", "kept", "namespaces")
"""All tables that hold a namespace's rows."""


def opened(place: str, namespace: str = "default") -> Knowledge:
    return open_knowledge(place, namespace, HashingEmbedder())


@contextmanager
def administrator(place: str) -> Iterator[Any]:
    """A connection that no policy binds."""
    import psycopg

    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("SET search_path = veridic, public")
        yield connection


@pytest.fixture
def database(server: str) -> str:
    return fresh(server)


class TestStatements:
    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ("SELECT ? WHERE a = :a AND b = :bee", "SELECT %s WHERE a = %(a)s AND b = %(bee)s"),
            ("SELECT 'a ? :b %' || ?", "SELECT 'a ? :b %%' || %s"),
            ('SELECT "a?" FROM b WHERE c % 2 = ?', 'SELECT "a?" FROM b WHERE c %% 2 = %s'),
            (":v::halfvec(3)", "%(v)s::halfvec(3)"),
        ],
    )
    def test_values_are_marked_as_psycopg_takes_them(self, given: str, told: str) -> None:
        assert translated(given) == told


class TestAddresses:
    def test_no_password_is_shown(self) -> None:
        for address in ("postgresql://me:secr3t@db:5432/kb?sslmode=require&password=secr3t", "postgres://:secr3t@/kb"):
            assert "secr3t" not in shown_kb(address)
        assert shown_kb("postgresql://me:secr3t@db:5432/kb") == "postgresql://db:5432/kb"
        assert shown_kb("/a/kb.sqlite") == "/a/kb.sqlite"

    def test_without_the_packages_the_extra_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.startswith("veridic.knowledge.postgres.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(MissingExtra, match=r"pip install 'veridic\[postgres\]'"):
            open_store("postgresql://db/kb")

    @pytest.mark.postgres
    def test_a_server_that_is_not_there_is_told_without_the_password(self) -> None:
        with pytest.raises(StoreUnavailable, match="cannot be reached") as raised:
            open_store("postgresql://me:secr3t@127.0.0.1:1/kb")
        assert "secr3t" not in str(raised.value)
        assert "me" not in raised.value.problem.split()

    @pytest.mark.postgres
    def test_a_database_that_is_not_there_is_told(self, server: str) -> None:
        with pytest.raises(StoreUnavailable, match=r"\"nowhere\" does not exist"):
            open_store(named(server, "nowhere"))

    @pytest.mark.postgres
    def test_what_only_reads_makes_none(self, server: str, database: str) -> None:
        empty = made(server, "empty")
        with pytest.raises(StoreMissing):
            held_knowledge_base(Settings.load(kb=empty))
        assert not is_held(empty)
        assert is_held(database)


@pytest.mark.postgres
class TestNamespaces:
    def filled(self, place: str) -> None:
        """Rows in every table, in two namespaces."""
        for namespace in ("ours", "theirs"):
            knowledge = opened(place, namespace)
            add(knowledge, "a", f"alpha {namespace}")
            add(knowledge, "b", "beta")
            knowledge.corpus.remember(record(), deadline=soon())
            places: Any = [{"role": "worked", "document_id": "b", "start": 0, "end": 1}]
            knowledge.experience.learn("1", lesson("alpha", places=places), deadline=soon())
            [[found]] = knowledge.corpus.search(["alpha"], limit=1, deadline=soon())
            told: Any = {**result("1", "x"), "documents": [found]}
            knowledge.decisions.write(told, deadline=soon())
            knowledge.feedback.give("1", "up")
            knowledge.threads.add("thread", "1")
            knowledge.corpus.remove("b")
            assert knowledge.corpus.store.kept is not None
            knowledge.corpus.store.kept.keep("a", {})
            knowledge.close()

    def test_a_select_without_where_sees_its_own_rows_alone(self, database: str) -> None:
        self.filled(database)
        with open_store(database, "ours") as store, store.reading() as connection:
            for table in OWN:
                seen = [row[0] for row in connection.execute(f"SELECT DISTINCT namespace FROM {table}")]
                assert seen == ["ours"], table
        with administrator(database) as connection:
            rows = connection.execute("SELECT DISTINCT namespace FROM chunks ORDER BY 1").fetchall()
            assert rows == [("ours",), ("theirs",)]

    def test_who_names_no_namespace_sees_nothing(self, database: str) -> None:
        self.filled(database)
        with administrator(database) as connection:
            connection.execute("SET ROLE veridic")
            for table in OWN:
                assert connection.execute(f"SELECT * FROM {table}").fetchall() == [], table

    def test_nothing_of_another_is_changed_or_added(self, database: str) -> None:
        self.filled(database)
        ours = opened(database, "ours")
        with ours.corpus.store.writing() as connection:
            for table in ("lesson_places", "feedback", "documents", "chunks"):
                connection.execute(f"DELETE FROM {table}")
        with pytest.raises(StoreUnavailable), ours.corpus.store.writing() as connection:
            connection.execute("INSERT INTO feedback (namespace, run_id, sequence, given_at, verdict, correction) "
                               "VALUES ('theirs', '9', 1, '', 'up', '')")  # fmt: skip
        theirs = opened(database, "theirs")
        assert urls(theirs, "alpha") == ["a", theirs.corpus.documents(kind="generated")[0].url]
        assert len(list(theirs.feedback)) == 1
        for one in (ours, theirs):
            one.close()

    def test_a_role_that_is_not_bound_is_refused(self, server: str) -> None:
        place = made(server, "unbound")
        with administrator(place) as connection:
            connection.execute("CREATE SCHEMA veridic")
        with pytest.raises(StoreUnavailable, match=r"does not bind.*NOBYPASSRLS"):
            open_store(place)

    def test_a_role_without_any_power_may_own_it(self, server: str) -> None:
        with administrator(server) as connection:
            connection.execute("CREATE ROLE keeper LOGIN")
            connection.execute("CREATE ROLE stranger LOGIN")
            connection.execute("CREATE DATABASE kept OWNER keeper")
        place = named(server, "kept")
        with administrator(place) as connection:
            connection.execute("CREATE EXTENSION vector")
        knowledge = opened(place.replace("postgres:@", "keeper@"))
        add(knowledge, "a", "alpha")
        assert urls(knowledge, "alpha") == ["a"]
        with pytest.raises(StoreUnavailable, match="GRANT keeper TO stranger"):
            open_store(place.replace("postgres:@", "stranger@"))
        by_superuser = opened(place)
        assert urls(by_superuser, "alpha") == ["a"]
        for one in (knowledge, by_superuser):
            one.close()


@pytest.mark.postgres
class TestWriters:
    def test_those_of_two_namespaces_do_not_wait_for_one_another(self, database: str) -> None:
        ours, theirs = opened(database, "ours"), opened(database, "theirs")
        with ours.corpus.store.writing():
            add(theirs, "a", "alpha")
            assert urls(theirs, "alpha") == ["a"]
        for one in (ours, theirs):
            one.close()

    def test_those_of_one_do_and_are_told_when_it_lasts(self, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        knowledge, other = opened(database), opened(database)
        with other.corpus.store.writing():
            with pytest.raises(DeadlineExceeded):
                knowledge.corpus.remember(record(), deadline=time.time() + 0.1)
            monkeypatch.setattr("veridic.knowledge.postgres.transactions.BUSY_SECONDS", 0.1)
            with pytest.raises(StoreUnavailable, match="locked by another writer"):
                knowledge.corpus.remember(record(), deadline=soon())
        monkeypatch.undo()
        knowledge.corpus.remember(record(), deadline=soon())
        assert knowledge.corpus.status().documents == 1
        for one in (knowledge, other):
            one.close()

    def test_one_that_does_nothing_is_given_up(self, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """As a process that was stopped in the middle of its writing: the others go on, and it is told."""
        knowledge, stopped = opened(database), opened(database)
        monkeypatch.setattr("veridic.knowledge.postgres.transactions._IDLE_SECONDS", 0.1)
        with pytest.raises(StoreUnavailable, match="gave up a writer"), stopped.corpus.store.writing():
            knowledge.corpus.remember(record(), deadline=soon())
        assert knowledge.corpus.status().documents == 1
        for one in (knowledge, stopped):
            one.close()

    def test_no_number_is_given_twice(self, database: str) -> None:
        knowledge = opened(database)

        def write(_: int) -> int:
            with knowledge.corpus.store.writing() as connection:
                return int(connection.execute("SELECT sequence FROM counter").fetchone()[0])

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(write, range(40))) == list(range(1, 41))
        knowledge.close()

    def test_many_openers_make_one(self, server: str) -> None:
        place = made(server, "at_once")
        code = f"from veridic.knowledge.base import open_store; print(open_store({place!r}, 'a').store_id)"
        runs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
        with ThreadPoolExecutor(4) as pool:
            stores = list(pool.map(lambda number: open_store(place, f"n{number % 2}"), range(4)))
        assert {run.communicate()[0].strip() for run in runs} == {store.store_id for store in stores}
        assert stores[0].namespaces() == ["a", "n0", "n1"]
        for store in stores:
            store.close()

    def test_one_that_is_killed_leaves_no_half_of_a_document(self, database: str) -> None:
        code = f"""
import os, signal
from tests.knowledge.test_postgres import add, opened
from veridic.knowledge import document_rows
put = document_rows.put

def put_and_die(connection, document, *rest):
    put(connection, document, *rest)
    if document.url == "b":
        os.kill(os.getpid(), signal.SIGKILL)

document_rows.put = put_and_die
knowledge = opened({database!r})
add(knowledge, "a", "alpha")
add(knowledge, "b", "beta")
"""
        assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == -signal.SIGKILL
        knowledge = opened(database)
        assert [one.url for one in knowledge.corpus.documents()] == ["a"]
        add(knowledge, "b", "beta")
        assert knowledge.corpus.store.problems() == []
        knowledge.close()


@pytest.mark.postgres
class TestFailures:
    def test_a_long_statement_is_stopped_at_the_deadline(self, database: str) -> None:
        with open_store(database) as store:
            with pytest.raises(DeadlineExceeded), store.reading(time.time() + 0.1) as connection:
                connection.execute("SELECT pg_sleep(20)")
            with store.reading() as connection:
                assert connection.execute("SELECT 1").fetchone()[0] == 1

    def test_one_that_is_for_reading_alone_is_told(self, database: str) -> None:
        store = open_store(database)
        with store.reading() as connection, administrator(database) as other:
            other.execute(f"ALTER DATABASE {other.info.dbname} SET default_transaction_read_only = on")
            assert connection.execute("SELECT 1").fetchone()
        store.close()
        with (
            open_store(database) as again,
            pytest.raises(StoreUnavailable, match=r"read-only.*primary"),
            again.writing(),
        ):
            pass

    def test_tables_of_a_newer_version_are_refused(self, database: str) -> None:
        with administrator(database) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(StoreDamaged, match="newer Veridic"):
            open_store(database)

    def test_a_connection_that_broke_is_made_anew(self, database: str) -> None:
        knowledge = opened(database)
        add(knowledge, "a", "alpha")
        with administrator(database) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid != pg_backend_pid()"
            )
        assert urls(knowledge, "alpha") == ["a"]
        knowledge.close()


@pytest.mark.postgres
class TestSearch:
    @pytest.fixture
    def many(self, database: str) -> Iterator[Knowledge]:
        knowledge = opened(database)
        for number in range(400):
            add(
                knowledge,
                f"/notes/{number % 4}/{number}",
                " ".join(f"word{number * step % 97}" for step in range(1, 9)),
            )
        yield knowledge
        knowledge.close()

    @pytest.mark.parametrize("scope", [None, "/notes/3"])
    def test_the_index_finds_what_all_vectors_compared_find(
        self, many: Knowledge, scope: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        view = many.corpus.within([scope]) if scope else many.corpus
        vectors = many.corpus.embedder.embed([f"word{number} word{number + 3}" for number in range(30)])
        with many.corpus.store.reading() as connection:
            members = view._scope.members(connection)
            best = many.corpus._index.search(connection, vectors, 10, members=members)
            monkeypatch.setattr(halfvec, "FEW", -1)
            monkeypatch.setattr(halfvec, "VISITED", 0)
            connection.execute(
                "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"
            )
            found = many.corpus._index.search(connection, vectors, 10, members=members)
            statement = many.corpus._index._statement(connection, members, 10)  # type: ignore[attr-defined]
            values = {"limit": 10, "members": list(members.chunks) if members else [], "vector": vectors[0].tobytes()}
            plan = "\n".join(row[0] for row in connection.execute(f"EXPLAIN {statement}", values))
        assert "_nearest" in plan, plan
        assert [[cosine for _, cosine in near] for near in found] == [
            pytest.approx([cosine for _, cosine in near], abs=1e-3) for near in best
        ]

    def test_words_that_the_statistics_leave_out_are_no_loss(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        knowledge = opened(database)
        for number in range(120):
            add(
                knowledge,
                f"/{number % 10}/{number}",
                f"harbour report {number}" if number % 10 == 0 else f"report {number}",
            )
        chunks, corpus = partition("chunks", "default"), knowledge.corpus
        with corpus.store.changing() as connection:  # type: ignore[attr-defined]
            elsewhere = corpus.within(["/1"])._scope.members(connection)

            def found(*words: str, limit: int = 12, members: Members | None = None) -> list[int]:
                return connection.matched(words, limit, outside=False, members=members)

            before = found("report"), found("harbour")
            connection.execute(f"ANALYZE {chunks}")
            common = "SELECT most_common_elems::text::text[] FROM pg_stats WHERE tablename = ? AND attname = 'words'"
            assert {"report", "harbour"} <= set(connection.execute(common, (chunks,)).fetchone()[0])
            assert (found("report"), found("harbour")) == before
            assert found("harbour", "report") == before[1]
            assert set(found("harbour", "report", limit=50)) > set(
                before[1]
            )  # more are wanted than have the rarer word
            assert len(found("harbour", "report", members=elsewhere)) == 12  # none there has the rarer word
            monkeypatch.setattr(words, "FEW", -1)  # by the index of words
            assert len(found("harbour", "report", members=elsewhere)) == 12
            monkeypatch.setattr(words, "ENOUGH", 0.2)  # ten of fifty that are wanted
            assert set(found("harbour", "report", limit=50)) == set(before[1])
        knowledge.close()

    def test_words_are_found_by_their_index(self, many: Knowledge) -> None:
        with many.corpus.store.reading() as connection:
            connection.execute("SELECT set_config('enable_seqscan', 'off', true)")
            [name] = connection.execute("SELECT current_user").fetchone()
            assert name == "veridic"
            assert connection.matched(["word5"], 3, outside=False, members=None)

    @pytest.mark.parametrize(
        ("asked", "held"),
        [
            ("naive", "A naïve answer."),
            ("ÉCOLE", "Une école fermée."),
            ("opening", "It opened late."),
            ("path", "See /a/path/to.txt for more."),
            ("the", "the who"),
            ("мост", "Старый Мост закрыт."),
            ("well", "A well-known “well” is dry."),
        ],
    )
    def test_words_are_cut_and_folded_as_sqlite_does(
        self, tmp_path: Path, database: str, asked: str, held: str
    ) -> None:
        for knowledge in (opened(database), open_knowledge(tmp_path / "kb.sqlite", "default", HashingEmbedder())):
            add(knowledge, "a", held)
            with knowledge.corpus.store.reading() as connection:
                assert len(connection.matched([asked.lower()], 9, outside=False, members=None)) == 1
            knowledge.close()

    def test_a_rare_word_weighs_more_than_a_frequent_one(self, database: str) -> None:
        knowledge = opened(database)
        for number in range(20):
            add(knowledge, f"common{number}", "alder alder alder stands here")
        add(knowledge, "rare", "a bridge stands over there, far from here")
        with knowledge.corpus.store.reading() as connection:
            first, *_ = connection.matched(["alder", "bridge"], 9, outside=False, members=None)
            query = "SELECT url FROM documents JOIN chunks ON document_id = documents.id WHERE chunks.id = ?"
            assert connection.execute(query, (first,)).fetchone()["url"] == "rare"
        knowledge.close()

    def test_vectors_are_kept_bit_for_bit(self, database: str) -> None:
        knowledge = opened(database)
        add(knowledge, "a", "alpha")
        odd = np.array([1e-30, -0.0, 6e4, 1 / 3] * 16, dtype="<f4").tobytes()
        with knowledge.corpus.store.writing() as connection:
            connection.execute("UPDATE chunks SET embedding = ?", (odd,))
            assert connection.execute("SELECT embedding FROM chunks").fetchone()[0] == odd
        knowledge.close()


@pytest.mark.postgres
class TestKept:
    def test_values_are_kept_for_all_and_the_oldest_go(self, database: str) -> None:
        with open_store(database) as one, open_store(database) as other, open_store(database, "theirs") as theirs:
            for number in range(6):
                one.kept.keep(f"{number}", {"n": number, "text": "\0 \ud800"}, now=100.0 + number)
            one.kept.keep("5", {"n": 50}, now=105.0)
            assert other.kept.read("3") == {"n": 3, "text": "\0 \ud800"}
            assert (other.kept.read("5"), other.kept.read("6"), theirs.kept.read("5")) == ({"n": 50}, {}, {})
            other.kept.trim(3, before=102.5)
            assert [bool(one.kept.read(str(number))) for number in range(6)] == [False, False, False, True, True, True]
            other.kept.trim(2, before=0)
            assert [bool(one.kept.read(str(number))) for number in range(6)] == [False] * 4 + [True] * 2


@pytest.mark.postgres
class TestOpening:
    def test_one_that_is_collected_while_another_is_opened_lets_go(
        self, server: str, database: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from veridic.knowledge.postgres import database as databases

        held, other = [open_store(fresh(server))], list[KnowledgeStore]()
        made_ready = databases.Database

        def collecting(url: str, place: str) -> object:
            held.clear()
            gc.collect()
            return made_ready(url, place)

        monkeypatch.setattr(databases, "Database", collecting)
        thread = threading.Thread(target=lambda: other.append(open_store(database)), daemon=True)
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        for store in other:
            store.close()
