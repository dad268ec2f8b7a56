"""TEI P5: a corpus with one `<TEI>` per pair, its texts as tokens, its spans as stand-off annotation.

    <text xml:id="p1.a" xml:lang="en"><body><ab xml:space="preserve"><w xml:id="p1.a.1">Open</w> …</ab></body></text>
    <standOff>
     <spanGrp type="difference" resp="#p1.r1"><span xml:id="p1.n1.1.1" from="#p1.a.1" to="#p1.a.2" ana="#label.4"/>…
     <linkGrp type="difference" resp="#p1.r1"><link target="#p1.n1.1.1 #p1.n1.1.2" ana="#label.4"/></linkGrp>

The text of an `<ab>` is the text of its side, character by character, but for those that XML 1.0 can't hold
(most control characters): each is written as U+FFFD, so that all offsets stay.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from annotation.formats.fields import record_json
from annotation.formats.omissions import ILLEGAL_IN_XML, REASSIGNED, count_reassigned, nonzero_counts, spans_of
from annotation.formats.omissions import ORIGINS as GOLD_ORIGINS
from annotation.formats.record import PairRecord, TextRecord
from annotation.formats.safe_paths import target_file
from annotation.text.schemes import Scheme
from annotation.text.spans import ORIGINS, Fragment, Span
from annotation.text.tokens import Range

PAIR = ("split", "mirror", "metadata", "translations_a", "translations_b")
"""What of a pair is in its header as JSON, named as in `jsonl`."""
NOTES = ("verdict", "reason", "comment", "guideline", "active_seconds")
"""The types of `<interp>`, with 'answer'."""
REPLACED = "\N{REPLACEMENT CHARACTER}"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CARRIAGE_RETURN = {"\r": "&#13;"}
_ATTRIBUTE_ESCAPES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
_OPENING = """<?xml version="1.0" encoding="UTF-8"?>
<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><fileDesc><titleStmt><title>{title}</title></titleStmt>
<publicationStmt><p>Exported by Diptych.</p></publicationStmt><sourceDesc><p>Pairs of texts.</p></sourceDesc></fileDesc>
<encodingDesc><editorialDecl><p>Characters that XML can't hold are written as U+FFFD.</p></editorialDecl>
<classDecl><taxonomy xml:id="labels">{labels}</taxonomy></classDecl></encodingDesc>{scheme}</teiHeader>
"""


def content(text: str) -> str:
    """Text as the content of an element."""
    return escape(_ILLEGAL.sub(REPLACED, text), _CARRIAGE_RETURN)


def attribute(text: str) -> str:
    """Text as the value of an attribute."""
    return escape(_ILLEGAL.sub(REPLACED, text), _ATTRIBUTE_ESCAPES)


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """The characters that are written as U+FFFD."""
    texts = [record.a.text, record.b.text, record.statement.text if record.statement else ""]
    texts += [span.comment for span in spans_of(record, record.annotations)]
    texts += [
        text for item in record.annotations for text in (item.comment, item.reason, *map(str, item.answers.values()))
    ]
    illegal = sum(len(_ILLEGAL.findall(text)) for text in texts)
    counts = (GOLD_ORIGINS, len(record.origins)), (REASSIGNED, count_reassigned(record.annotations))
    return nonzero_counts((ILLEGAL_IN_XML, illegal), *counts)


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the corpus to `out`, pair by pair."""
    with target_file(out).open("w", encoding="utf-8", newline="") as file:
        whole = _data("scheme", scheme.to_json())
        file.write(_OPENING.format(title=content(scheme.name), labels=_categories(scheme), scheme=whole))
        number = 0
        for number, record in enumerate(records, 1):
            file.writelines(_pair(record, f"p{number}", scheme))
        if not number:  # a corpus needs a text
            file.write(_header("", "") + "<text><body><p/></body></text></TEI>\n")
        file.write("</teiCorpus>\n")
    return [out]


def _categories(scheme: Scheme) -> str:
    categories = []
    for number, label in enumerate(scheme.labels, 1):
        described = ": ".join(filter(None, (label.name, label.description)))
        categories.append(
            f'<category xml:id="label.{number}" n="{attribute(label.key)}">'
            f"<catDesc>{content(described)}</catDesc></category>"
        )
    return "".join(categories) or '<category xml:id="label.none"><catDesc/></category>'


def _header(attributes: str, title: str, people: str = "", source: str = "", data: str = "") -> str:
    return (
        f"<TEI{attributes}><teiHeader><fileDesc><titleStmt><title>{title}</title>{people}</titleStmt>"
        f"<publicationStmt><p/></publicationStmt><sourceDesc><p>{source}</p></sourceDesc></fileDesc>{data}</teiHeader>\n"
    )


def _data(kind: str, value: Mapping[str, Any]) -> str:
    """What TEI has no elements for, as JSON in ASCII: `kind` is 'scheme', in the corpus's header, or 'pair'."""
    return f'<xenoData type="{kind}">{content(json.dumps(value))}</xenoData>'


def _pair(record: PairRecord, key: str, scheme: Scheme) -> Iterator[str]:
    names = list(dict.fromkeys(item.annotator for item in record.annotations))
    people = {name: f"{key}.r{number}" for number, name in enumerate(names, 1)}
    stated = "".join(_person(identity, "annotation", name) for name, identity in people.items())
    if record.gold is not None:
        stated += _person(f"{key}.gold", "adjudication", "gold")
    source = content(f"split {record.split}" if record.split else "")
    own = {name: value for name, value in record_json(record).items() if name in PAIR}
    attributes = f' xml:id="{key}" n="{attribute(record.id)}"'
    yield _header(attributes, content(record.id), stated, source, _data("pair", own) if own else "")
    for side, text in (("a", record.a), ("b", record.b), ("s", record.statement)):
        if text is not None:
            yield _text(text, f"{key}.{side}")
    yield "<standOff>\n"
    for number, item in enumerate(record.annotations, 1):
        annotation_attributes = f'resp="#{people[item.annotator]}" subtype="{item.phase}" n="{item.round}"'
        notes = {name: str(getattr(item, name) or "") for name in NOTES}
        yield from _annotation(
            record, scheme, item.spans, f"{key}.n{number}", annotation_attributes, item.answers, notes
        )
    if record.gold is not None:
        yield from _annotation(record, scheme, record.gold, f"{key}.g", f'resp="#{key}.gold"', record.gold_answers, {})
    yield "</standOff></TEI>\n"


def _person(identity: str, task: str, name: str) -> str:
    return f'<respStmt xml:id="{identity}"><resp>{task}</resp><name>{content(name)}</name></respStmt>'


def _text(text: TextRecord, key: str) -> str:
    parts, last = [], 0
    for number, (start, end) in enumerate(text.tokens or (), 1):
        word = text.text[start:end]
        name = "pc" if all(unicodedata.category(character)[0] in "PS" for character in word) else "w"
        parts.append(f'{content(text.text[last:start])}<{name} xml:id="{key}.{number}">{content(word)}</{name}>')
        last = end
    whole = "".join(parts) + content(text.text[last:])
    language = attribute(text.language)
    return f'<text xml:id="{key}" xml:lang="{language}"><body><ab xml:space="preserve">{whole}</ab></body></text>\n'


def _annotation(
    record: PairRecord,
    scheme: Scheme,
    spans: Sequence[Span],
    key: str,
    attributes: str,
    answers: Mapping[str, str],
    notes: Mapping[str, str],
) -> Iterator[str]:
    """One person's annotation, or the gold: its spans, the links within them, its answers and notes."""
    links = []
    if spans:
        yield f'<spanGrp type="difference" {attributes}>\n'
        for number, span in enumerate(spans, 1):
            ana = f'ana="#label.{scheme.keys.index(span.label) + 1}" n="{attribute(span.id)}"'
            if span.origin != ORIGINS[0]:
                ana += f' type="{span.origin}"'
            if span.predicted:
                ana += f' corresp="#label.{scheme.keys.index(span.predicted) + 1}"'
            parts = [f"{key}.{number}.{index}" for index in range(1, len(span.fragments) + 1)]
            for index, (identity, fragment) in enumerate(zip(parts, sorted(span.fragments), strict=True)):
                # The comment is about the whole span; it is at its first part.
                yield _span(
                    f' xml:id="{identity}" {_range_attributes(record, key, fragment)}',
                    ana,
                    "" if index else span.comment,
                )
            if not parts:
                yield _span(f' xml:id="{key}.{number}"', ana, span.comment)
            if len(parts) > 1:
                label = f'ana="#label.{scheme.keys.index(span.label) + 1}" n="{attribute(span.id)}"'
                links.append(f'<link target="{" ".join(f"#{part}" for part in parts)}" {label}/>\n')
        yield "</spanGrp>\n"
    if links:
        yield f'<linkGrp type="difference" {attributes}>\n{"".join(links)}</linkGrp>\n'
    notes_xml = [
        f'<interp type="answer" n="{attribute(name)}">{content(value)}</interp>' for name, value in answers.items()
    ]
    notes_xml += [f'<interp type="{name}">{content(value)}</interp>' for name, value in notes.items() if value]
    if notes_xml:
        yield f'<interpGrp type="pair" {attributes}>{"".join(notes_xml)}</interpGrp>\n'


def _span(attributes: str, ana: str, comment: str) -> str:
    return f"<span{attributes} {ana}>{content(comment)}</span>\n" if comment else f"<span{attributes} {ana}/>\n"


def _range_attributes(record: PairRecord, key: str, fragment: Fragment) -> str:
    text = record.a if fragment.side == "a" else record.b
    tokens: Sequence[Range] = text.tokens or ()
    first = bisect_right([end for _, end in tokens], fragment.start)
    last = bisect_left([start for start, _ in tokens], fragment.end)
    within = f"{key.partition('.')[0]}.{fragment.side}"
    return f'from="#{within}.{first + 1}" to="#{within}.{last}"'
