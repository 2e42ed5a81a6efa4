"""A page that shows an OpenAPI document, whole: it asks nobody for anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto; }
.method { font-weight: bold; color: #05507a; }
table { border-collapse: collapse; }
td { padding: .1rem 1rem .1rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) {
  body { background: #181818; color: #ddd; } pre { background: #262626; } .method { color: #7cc4f0; }
}
"""

#: What a browser may do for this page: nothing but apply its own style.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def docs_page(document: Mapping[str, Any]) -> str:
    """The page for a document."""
    info = document["info"]
    parts = [
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info['summary'])} The same for programs: <a href='/openapi.json'>openapi.json</a>.</p>",
    ]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts += _operation(method, path, operation, document)
    parts.append("<h2>Schemas</h2>")
    for name, schema in document["components"]["schemas"].items():
        parts.append(f"<h3 id='{escape(name)}'>{escape(name)}</h3>{_code(schema)}")
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'><link rel='icon' href='data:,'>"
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style></head>\n<body>{''.join(parts)}</body></html>\n"
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    parts = [
        f"<h2><span class='method'>{method.upper()}</span> <code>{escape(path)}</code></h2>",
        f"<p>{escape(operation['summary'])}. {escape(operation.get('description', ''))}</p>",
    ]
    if "requestBody" in operation:
        parts.append(f"<p>Asked with:</p>{_content(operation['requestBody'])}")
        parts.append(f"<p>Answered with:</p>{_content(operation['responses']['200'])}")
    rows = []
    for status, response in operation["responses"].items():
        if "$ref" in response:
            response = document["components"]["responses"][response["$ref"].rpartition("/")[2]]
        rows.append(f"<tr><td><code>{status}</code></td><td>{escape(response['description'])}.</td></tr>")
    return [*parts, f"<table>{''.join(rows)}</table>"]


def _content(body: Mapping[str, Any]) -> str:
    content = body["content"]["application/json"]
    name = content["schema"]["$ref"].rpartition("/")[2]
    return f"{_code(content['example'])}<p>See <a href='#{escape(name)}'>{escape(name)}</a>.</p>"


def _code(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"
