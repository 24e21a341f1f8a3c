"""The page: one HTML file that needs no other."""

import base64
import html

from tools.compaction_io_report import charts, summary, tables, targets

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto;
       max-width: 1100px; padding: 0 1em; color: #222 }
div.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 12px; white-space: nowrap }
th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left }
tr.met td:last-child { color: #1b7837 }
tr.missed td:last-child { color: #b2182b; font-weight: bold }
img { max-width: 100% }
"""


def _escape(value):
    return html.escape(str(value))


def _table(headings, rows, class_of_row=lambda row: ""):
    head = "".join(f"<th>{_escape(text)}</th>" for text in headings)
    body = "".join(
        f'<tr class="{_escape(class_of_row(row))}">' +
        "".join(f"<td>{_escape(text)}</td>" for text in row) + "</tr>\n"
        for row in rows)
    return (f'<div class="wide"><table><tr>{head}</tr>\n{body}'
            "</table></div>\n")


def _image(title, data):
    encoded = base64.b64encode(data).decode("ascii")
    return (f"<h2>{_escape(title)}</h2>\n<img alt=\"{_escape(title)}\" "
            f'src="data:image/png;base64,{encoded}">\n')


def _setup(store):
    setup = dict(store.setup)
    programs = setup.pop("programs", [])
    rows = [[name, value] for name, value in setup.items() if name != "kind"]
    rows += [[f"program {p['name']}", f"{p['engine']} ({p['path']})"]
             for p in programs]
    return _table(["setting", "value"], rows)


def _left_out(store):
    if not store.left_out:
        return ""
    return "<h2>Left out</h2>\n" + _table(
        ["what", "why"], [[r["what"], r["why"]] for r in store.left_out])


def _workload_tables(store):
    headings = ["", "rounds",
                *(summary.METRICS[name].title for name in tables.COLUMNS)]
    return "".join(
        f"<h3>{_escape(workload.title)}</h3>\n" + _table(
            headings, tables.cell_rows(summary.cells(store.runs,
                                                     workload.name)))
        for workload in summary.workloads(store.runs))


def _over_none(store):
    found = list(tables.over_none(store.runs))
    if not found:
        return ""
    return ("<h2>Background over none</h2>\n<p>Latencies in microseconds "
            "beside the background, and over the same program, setting and "
            "reads without it. Latencies of paced reads count from when a read "
            "was due.</p>\n" + "".join(
                f"<h3>{_escape(workload.title)}</h3>\n" +
                _table(tables.OVER_NONE_HEADINGS, rows)
                for workload, rows in found))


def _note(store):
    discarded = sum(run["discarded"] for run in store.runs)
    text = (f"{len(store.runs)} runs, {discarded} of them discarded because "
            "the host took more than 5 % of the processor. Tables show the "
            "median and the standard deviation in parts of the mean; bars "
            "show the mean, and lines the least and the largest value. P99 "
            "of whole-second intervals is the median over the rounds.")
    if store.setup.get("quick"):
        text += " A quick look at a small scale is no measurement."
    return f"<p>{_escape(text)}</p>\n"


def render(store):
    """(the page, all of its pictures as one PNG)."""
    outcomes = targets.outcomes(store.runs, store.setup)
    parts = [
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        f"<title>Compaction I/O</title><style>{STYLE}</style></head><body>\n"
        "<h1>What readers notice of compaction</h1>\n", _note(store),
        "<h2>Ratios and targets</h2>\n",
        _table(tables.TARGET_HEADINGS, tables.target_rows(outcomes),
               lambda row: row[-1].replace(" ", "-")),
        _over_none(store),
    ]
    pictures = []
    for title, figure in charts.figures(store):
        if figure is None:
            continue
        data = charts.png(figure)
        pictures.append(data)
        parts.append(_image(title, data))
    parts += ["<h2>All figures</h2>\n", _workload_tables(store),
              _left_out(store), "<h2>Setup</h2>\n", _setup(store),
              "</body></html>\n"]
    return "".join(parts), charts.stack(pictures)
