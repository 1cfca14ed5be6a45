"""The paper's tables: every row once, numbers of errors."""

from featurebook.papers.cone_sets.printed import tables as printed_tables


def test_the_tables_have_every_row_once():
    tables = printed_tables()
    assert len(tables) == 88
    assert tables.table.value_counts().to_dict() == dict.fromkeys(range(1, 9), 11)
    assert set(tables.P) == set(range(20, 61, 4))
    assert not tables.duplicated(["table", "eps", "d", "P", "C"]).any()
    assert not tables.isna().any().any()


def test_printed_numbers_are_numbers_of_errors():
    tables = printed_tables()
    for name in ("NE", "SE", "NSE"):
        assert tables[name].between(0, 0.1).all()
        assert tables[f"{name}_std"].between(0, 0.05).all()
    assert (tables.d >= tables.P).all()
    first = tables.iloc[0]
    assert (first.d, first.P, first.C, first.NE, first.NSE_std) == (22, 20, 16, 0.0120, 0.0014)
