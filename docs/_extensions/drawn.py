"""Graphs in Mermaid become pictures in the page itself, so that no page asks another host for a script.

Of Mermaid this reads what LangGraph writes: nodes, edges (`-->`) and choices (`-.->`). The layers are grandalf's.
"""

import re
from html import escape

from docutils import nodes
from grandalf.graphs import Edge, Graph, Vertex
from grandalf.layouts import SugiyamaLayout, VertexViewer
from grandalf.routing import EdgeViewer
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

EDGE = re.compile(r"^\s*(\w+) (-->|-\.->) (\w+);", re.MULTILINE)
SHOWN = {"__start__": "question", "__end__": "answer"}
HEIGHT = 28
CHARACTER = 8
"""Pixels: of a box, and of a letter in it."""
MARGIN = 10
ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 8 4 0 8z"/></marker></defs>'
)

Point = tuple[float, float]


def drawing(mermaid: str) -> str:
    """The graph as SVG; text that only repeats the page stays out of it."""
    edges = EDGE.findall(mermaid)
    boxes = {name: _box(name) for name in dict.fromkeys(name for start, _, end in edges for name in (start, end))}
    arrows = [_arrow(boxes[start], boxes[end], kind) for start, kind, end in edges]
    for part in Graph(list(boxes.values()), arrows).C:
        _laid_out(part)
    xs = [x for box in boxes.values() for x in (box.view.xy[0] - box.view.w / 2, box.view.xy[0] + box.view.w / 2)]
    xs += [x for arrow in arrows for x, _ in arrow.view._pts]
    ys = [box.view.xy[1] for box in boxes.values()]
    left, top = min(xs) - MARGIN, min(ys) - HEIGHT / 2 - MARGIN
    width, height = max(xs) - left + MARGIN, max(ys) - top + HEIGHT / 2 + MARGIN
    drawn = "".join([ARROW, *map(_path, arrows), *map(_shown, boxes.values())])
    return (
        f'<div class="drawn"><svg role="img" aria-label="The graph" width="{width:.0f}" '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}">{drawn}</svg></div>'
    )


def _box(name: str) -> Vertex:
    box = Vertex(name)
    box.view = VertexViewer(w=CHARACTER * len(SHOWN.get(name, name)) + 20, h=HEIGHT)
    return box


def _arrow(start: Vertex, end: Vertex, kind: str) -> Edge:
    arrow = Edge(start, end, data=kind)
    arrow.view = EdgeViewer()
    return arrow


def _laid_out(part: Graph) -> None:
    layout = SugiyamaLayout(part)
    layout.xspace, layout.yspace = 14, 30
    start = next((box for box in part.sV if box.data == "__start__"), next(iter(part.sV)))
    layout.init_all(roots=[start], inverted_edges=_edges_back(start, set(), set()))
    layout.draw(8)


def _edges_back(box: Vertex, way: set[Vertex], seen: set[Vertex]) -> list[Edge]:
    """The edges that lead to a box on the way that was come by, from this box on; the last way is the main one."""
    seen.add(box)
    found = []
    for edge in reversed(box.e_out()):
        end = edge.v[1]
        if end in {*way, box}:
            found.append(edge)
        elif end not in seen:
            found += _edges_back(end, {*way, box}, seen)
    return found


def _path(arrow: Edge) -> str:
    points = [
        _edge_of(arrow.v[0], arrow.view._pts[1]),
        *arrow.view._pts[1:-1],
        _edge_of(arrow.v[1], arrow.view._pts[-2]),
    ]
    line = " ".join(f"{x:.0f} {y:.0f}" for x, y in points)
    kind = ' class="choice"' if arrow.data == "-.->" else ""
    return f'<path{kind} d="M{line}" marker-end="url(#arrow)"/>'


def _edge_of(box: Vertex, towards: Point) -> Point:
    """Where a line from the middle of a box towards a point leaves it."""
    (x, y), (to_x, to_y) = box.view.xy, towards
    across, down = to_x - x, to_y - y
    share = min(box.view.w / 2 / abs(across or 1e-9), HEIGHT / 2 / abs(down or 1e-9), 1)
    return x + across * share, y + down * share


def _shown(box: Vertex) -> str:
    (x, y), width = box.view.xy, box.view.w
    name = escape(SHOWN.get(box.data, box.data))
    place = f'x="{x - width / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{width}" height="{HEIGHT}" rx="5"'
    return f'<rect {place}/><text x="{x:.0f}" y="{y:.0f}">{name}</text>'


class Drawn(SphinxTransform):
    """Puts the picture where the fence stood."""

    default_priority = 400

    def apply(self, **_: object) -> None:
        """Every fence of the page that is marked `mermaid`."""
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") == "mermaid":
                block.replace_self(nodes.raw("", drawing(block.astext()), format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_transform(Drawn)
    return {"parallel_read_safe": True}
