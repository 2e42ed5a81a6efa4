"""What the alignment service answers, exactly, as an OpenAPI 3.1 document."""

from __future__ import annotations

from typing import Any

from pralign import __version__
from pralign.serving.bodies import Limits

_SPACE_FREE = {"type": "string", "minLength": 1, "not": {"pattern": "[ \\t\\r\\n]"}}
_EXAMPLE = {"pairs": [{"source": "the house", "target": ["la", "maison"]}]}
_ANSWER = {"alignments": [{"links": [[0, 0], [1, 1]], "probabilities": [0.99, 0.98], "score": -3.2}]}


def openapi(limits: Limits) -> dict[str, Any]:
    """The document, with the limits of a service."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pralign",
            "version": __version__,
            "summary": "Which word translates which: a saved model that answers.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/align": {"post": _align()},
            "/health": {"get": _get("Whether the service answers, and with which model", "Health")},
            "/openapi.json": {"get": _get("This document", "Document")},
            "/docs": {"get": _page()},
        },
        "components": {"schemas": _schemas(limits), "responses": _errors()},
    }


def _align() -> dict[str, Any]:
    return {
        "summary": "Align sentence pairs",
        "description": "There is one alignment for each pair, in the same order.",
        "operationId": "align",
        "requestBody": {"required": True, "content": _json("Pairs", _EXAMPLE)},
        "responses": {
            "200": {"description": "The alignments", "content": _json("Alignments", _ANSWER)},
            **{status: {"$ref": f"#/components/responses/{name}"} for status, name in _ALIGN_ERRORS.items()},
        },
    }


_ALIGN_ERRORS = {
    "400": "Malformed",
    "403": "Foreign",
    "408": "Slow",
    "413": "Large",
    "500": "Failed",
    "503": "Busy",
}


def _get(summary: str, schema: str) -> dict[str, Any]:
    return {
        "summary": summary,
        "operationId": schema.lower(),
        "responses": {
            "200": {"description": summary, "content": _json(schema)},
            "403": {"$ref": "#/components/responses/Foreign"},
        },
    }


def _page() -> dict[str, Any]:
    return {
        "summary": "A page that shows this document",
        "operationId": "docs",
        "responses": {
            "200": {"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}},
            "403": {"$ref": "#/components/responses/Foreign"},
        },
    }


def _json(schema: str, example: Any = None) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    return {"application/json": content if example is None else {**content, "example": example}}


def _errors() -> dict[str, Any]:
    said = {
        "Malformed": "The request is not as it must be; the error names the pair, and says what to do",
        "Foreign": "The request is for another host, or from a page of another origin",
        "Slow": "The body of the request has not come in time",
        "Large": "The body of the request is too large",
        "Failed": "A pair cannot be aligned; the error names it",
        "Busy": "Too much waits already",
    }
    errors: dict[str, Any] = {name: {"description": text, "content": _json("Error")} for name, text in said.items()}
    errors["Busy"]["headers"] = {
        "Retry-After": {"description": "Seconds after which to ask again", "schema": {"type": "integer"}}
    }
    return errors


def _schemas(limits: Limits) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 0, "maximum": limits.words - 1}
    sentence = {
        "description": f"A text, which the model cuts into words, or a list of words; at most {limits.words} words.",
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": _SPACE_FREE, "maxItems": limits.words},
        ],
    }
    return {
        "Sentence": sentence,
        "Pair": _object({key: {"$ref": "#/components/schemas/Sentence"} for key in ("source", "target")}),
        "Pairs": _object(
            {"pairs": {"type": "array", "items": {"$ref": "#/components/schemas/Pair"}, "maxItems": limits.pairs}}
        ),
        "Alignment": _object(
            {
                "links": {
                    "description": "Numbers of a source word and of a target word, from 0.",
                    "type": "array",
                    "items": {"type": "array", "prefixItems": [number, number], "minItems": 2, "maxItems": 2},
                },
                "probabilities": {
                    "description": "The probability of each link; null if the model weighs links otherwise.",
                    "type": ["array", "null"],
                    "items": {"type": "number", "minimum": 0, "maximum": 1.001},
                },
                "score": {
                    "description": "The log-probability a word; null if a side is empty, or the model has none.",
                    "type": ["number", "null"],
                },
            }
        ),
        "Alignments": _object({"alignments": {"type": "array", "items": {"$ref": "#/components/schemas/Alignment"}}}),
        "Error": _object({"error": {"type": "string"}}),
        "Health": _object(
            {
                "status": {"const": "ok"},
                "version": {"description": "The version of pralign.", "type": "string"},
                "model": {"description": "The name of the model's directory.", "type": "string"},
                "signature": {"description": "What produces the alignments, in one line.", "type": "string"},
                "waiting": {"description": "How many pairs wait or are under way.", "type": "integer", "minimum": 0},
            }
        ),
        "Document": {"type": "object"},
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
