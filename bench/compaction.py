"""`python -m bench.compaction TRANSCRIPT…`: what the client's own summaries keep of what the person said.

For every compaction in your own transcripts (`~/.claude/projects/*/*.jsonl`), the goal (the first prompt), the rules
and the last request before it are looked for in the summary. What the summary keeps is what an agent knows from the
first request after the compaction without Perdure; with Perdure it also has what is given back. Prints counts and
tokens, and none of the words.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from perdure.actions.transcripts import events_of
from perdure.lifecycle.summary_audit import audit
from perdure.lifecycle.summary_fact import CONSTRAINT, GOAL, KEPT, REQUEST, Finding, SummaryFact
from perdure.recovery.gather import Utterance
from perdure.recovery.level_one import assents
from perdure.recovery.tokens import count
from perdure.recovery.words import first_words, words_of
from perdure.transcript.claude_code import Reading
from perdure.transcript.events import Prompt, Summary

MOST_RULES = 12


def facts_of(prompts: list[Utterance]) -> list[SummaryFact]:
    """The facts that hooks would have recorded of these prompts."""
    said = words_of(prompts)
    found = [SummaryFact(GOAL, prompts[0].source, first_words(prompts[0].text).removesuffix(" …"))]
    found += [SummaryFact(CONSTRAINT, each.source, each.text.removesuffix(" …")) for each in said.rules[:MOST_RULES]]
    last = next((each for each in said.last if not assents(each.text)), None)
    return found + ([SummaryFact(REQUEST, last.source, last.text.removesuffix(" …"))] if last else [])


def boundaries(path: str) -> Iterator[list[Finding]]:
    prompts: list[Utterance] = []
    for event in events_of(path, Reading()):
        if isinstance(event, Prompt):
            prompts.append(Utterance(len(prompts), event.text, event.uuid))
        elif isinstance(event, Summary) and prompts:
            yield audit(facts_of(prompts), event.text)


def main(paths: list[str]) -> int:
    outcomes: Counter[tuple[str, str]] = Counter()
    number = tokens = 0
    for path in paths:
        for found in boundaries(path):
            number += 1
            outcomes.update((each.fact.kind, each.outcome) for each in found)
            tokens += sum(count(each.fact.words) for each in found if each.outcome != KEPT)
    print(f"{number} compactions")
    for (kind, outcome), times in sorted(outcomes.items()):
        print(f"{kind:12} {outcome:8} {times:6}")
    kept, every = sum(n for (_, outcome), n in outcomes.items() if outcome == KEPT), outcomes.total()
    if number:
        each_time = f"{tokens / number:.0f} tokens each time"
        print(f"known from the summary {kept} of {every}; given back {every - kept}, {each_time}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
