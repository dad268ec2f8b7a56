"""Splits made for an export: pairs that share a page or document, in any version or language, stay in one split."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.formats.hub.layout import ALL_SPLITS
from annotation.formats.record import TextRecord
from annotation.models import Pair, Project
from annotation.selectors.parallel_documents import with_parallel_document

_SHARE = re.compile(r"([A-Za-z]\w{0,29})\s*=\s*(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Splits:
    """The shares of the splits to make, and the seed of the draw. Without shares pairs keep the splits they have."""

    shares: tuple[tuple[str, int], ...] = ()
    seed: int = 1

    @classmethod
    def parse(cls, text: str, seed: int = 1) -> Splits:
        """'train=80, dev=10, test=10'; '' is no shares. Raises Invalid."""
        shares: dict[str, int] = {}
        for part in filter(None, (each.strip() for each in text.split(","))):
            match = _SHARE.fullmatch(part)
            if match is None or not int(match[2]) or match[1].casefold() in map(str.casefold, shares):
                raise Invalid(
                    _("“%(part)s” does not give a split and its share.") % {"part": part[:40]},
                    where="splits",
                    hint=_("Enter each split once, for example: train=80, dev=10, test=10."),
                )
            if match[1].lower() == ALL_SPLITS:
                raise Invalid(
                    _("A split can't be named “%(name)s”: this name is reserved for all splits together.")
                    % {"name": match[1]},
                    where="splits",
                    hint=_("Choose another name."),
                )
            shares[match[1]] = int(match[2])
        return cls(tuple(shares.items()), seed)

    def __str__(self) -> str:
        return ", ".join(f"{name}={share}" for name, share in self.shares)


def assign(project: Project, splits: Splits) -> dict[str, str]:
    """The split of each pair, by external id; empty without shares.

    Pairs are related that share a text or have versions of one (`similar_texts`), and those of one document (`document`
    in their metadata). Groups of related pairs go, largest first and equal ones in an order drawn with the seed, to the
    split that lacks the most pairs of its share. The result depends on the texts and the seed, not on the order or ids
    of the pairs. Raises Invalid if a split gets no pair.
    """
    if not splits.shares:
        return {}
    # numpy, which only few requests need
    from annotation.text.related_texts import link_pairs, text_digest

    texts = (f"{side}__{name}" for side in "ab" for name in ("language", "content", "tokens"))
    pairs = with_parallel_document(Pair.objects.filter(project=project)).order_by("position", "pk")
    rows = list(pairs.values_list("external_id", *texts, "document"))
    sides = [(TextRecord(*row[1:4]), TextRecord(*row[4:7])) for row in rows]
    groups: dict[int, list[int]] = defaultdict(list)
    for number, group in enumerate(link_pairs(sides, parallel_documents=[row[7] for row in rows])):
        groups[group].append(number)

    def drawn(members: list[int]) -> str:
        name = min("".join(sorted(map(text_digest, sides[member]))) for member in members)
        return hashlib.sha256(f"{splits.seed} {name}".encode()).hexdigest()

    sizes = {name: 0 for name, _share in splits.shares}
    total = sum(share for _name, share in splits.shares)
    result: dict[str, str] = {}
    for members in sorted(groups.values(), key=lambda members: (-len(members), drawn(members))):
        split, _share = max(splits.shares, key=lambda each: len(rows) * each[1] / total - sizes[each[0]])
        sizes[split] += len(members)
        result.update((rows[member][0], split) for member in members)
    if empty := [name for name, size in sizes.items() if not size]:
        raise Invalid(
            _("No pairs remain for the split “%(name)s”.") % {"name": empty[0]},
            where="splits",
            hint=_("Versions and languages of a page stay together. Draw fewer splits, or give it a larger share."),
        )
    return result
