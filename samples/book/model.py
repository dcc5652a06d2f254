"""Stands for a model in the book: asks for the weather in two cities, then speaks of what it was told.

Reads the messages of a sampling request as JSON and prints the answer as JSON.
"""

import json
import sys


def answer(messages: list) -> dict:
    """Tool calls at first; a sentence once their results are there."""
    content = messages[-1]["content"]
    blocks = content if isinstance(content, list) else [content]
    results = [block["content"][0]["text"] for block in blocks if block["type"] == "tool_result"]
    if results:
        said = f"Paris: {results[0]}. London: {results[1]}."
        return {"content": {"type": "text", "text": said}, "stopReason": "endTurn"}
    calls = [
        {"type": "tool_use", "id": f"call_{number}", "name": "get_weather", "input": {"city": city}}
        for number, city in enumerate(("Paris", "London"), 1)
    ]
    return {"content": calls, "stopReason": "toolUse"}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
