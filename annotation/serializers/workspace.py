"""The shapes of the workspace's JSON: what requests must contain, and how the API's documentation describes responses.

Responses are built by `annotation.workspace_payload` without going through these: thousands of token ranges need no
second pass. A test checks that the two agree. The types of the browser side are generated from the documentation
(`script/types`).
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import VERDICTS, Phase, Status
from annotation.serializers.base import ErrorSerializer, Fields
from annotation.text.limits import MAX_ACTIVE_SECONDS
from annotation.text.schemes import SIDES
from annotation.text.spans import ORIGINS
from annotation.vocabulary import FINAL_VERDICTS


def ranges(help_text: str) -> serializers.ListField:
    """A list of pairs of whole numbers."""
    pair = serializers.ListField(child=serializers.IntegerField(min_value=0), min_length=2, max_length=2)
    return serializers.ListField(child=pair, help_text=help_text)


def triples() -> serializers.ListField:
    """A list of three whole numbers each."""
    three = serializers.ListField(child=serializers.IntegerField(min_value=0), min_length=3, max_length=3)
    return serializers.ListField(child=three)


def indices(help_text: str = "", **options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(min_value=0), help_text=help_text, **options)


class FragmentSerializer(Fields):
    """A run of consecutive tokens on one side; a half-open range of Unicode code points."""

    side = serializers.ChoiceField(choices=SIDES)
    start = serializers.IntegerField(min_value=0)
    end = serializers.IntegerField(min_value=1)


class SpanSerializer(Fields):
    """One annotated difference."""

    id = serializers.CharField(max_length=64)
    label = serializers.CharField()  # type: ignore[assignment]
    origin = serializers.ChoiceField(choices=ORIGINS)
    comment = serializers.CharField(allow_blank=True)
    fragments = FragmentSerializer(many=True)
    predicted = serializers.CharField(required=False, help_text="The label that the accepted suggestion came with.")


class SpansSerializer(Fields):
    """A spans document."""

    v = serializers.IntegerField(default=1)
    spans = SpanSerializer(many=True)


@extend_schema_field(SpansSerializer)
class SpansField(serializers.JSONField):
    """A spans document in a request. `annotation.text.spans` parses it, and says where something is wrong."""


class ReadSerializer(Fields):
    """Indices of the paragraphs that are ticked as read, by side."""

    a = indices()
    b = indices()


class ReadToSaveSerializer(Fields):
    """Indices of the paragraphs that are ticked as read, by side; a missing side is empty."""

    a = indices(required=False)
    b = indices(required=False)


class SaveSerializer(Fields):
    """Work to save. `revision` is the one it is based on; missing fields are empty."""

    revision = serializers.IntegerField(min_value=0)
    spans = SpansField()
    answers = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="By question; '' removes a free-text answer, as omitting it does.",
    )
    comment = serializers.CharField(allow_blank=True, required=False, trim_whitespace=False)
    read = ReadToSaveSerializer(required=False)
    active_seconds = serializers.IntegerField(min_value=0, max_value=MAX_ACTIVE_SECONDS, required=False)
    dismissed = serializers.ListField(
        child=serializers.CharField(max_length=64),
        max_length=10_000,
        required=False,
        help_text="Ids of dismissed suggestions; without the list, none is dismissed.",
    )


class SavedSerializer(Fields):
    """The saved revision, and when it was saved."""

    revision = serializers.IntegerField()
    saved = serializers.DateTimeField()


@extend_schema_field(serializers.ChoiceField(choices=FINAL_VERDICTS))
class FinalVerdictField(serializers.CharField):
    """A verdict in a request. The service refuses those that the project or the phase does not allow."""


class SubmitSerializer(Fields):
    """A verdict on a revision; a flag needs a reason."""

    revision = serializers.IntegerField(min_value=0)
    verdict = FinalVerdictField()
    reason = serializers.CharField(allow_blank=True, required=False)


class SubmittedSerializer(Fields):
    status = serializers.ChoiceField(choices=Status.choices)
    next = serializers.IntegerField(allow_null=True, help_text="The next assignment; null if none remains.")


class ReopenedSerializer(Fields):
    status = serializers.ChoiceField(choices=Status.choices)
    revision = serializers.IntegerField()


class AfterSerializer(Fields):
    after = serializers.IntegerField(required=False, min_value=1, help_text="An assignment of one's own.")


class NextSerializer(Fields):
    assignment = serializers.IntegerField(allow_null=True)
    upcoming = serializers.ListField(child=serializers.IntegerField(), help_text="The next few, in order.")


class AnnotationSerializer(Fields):
    """The annotation of a pair so far; revision 0: not started."""

    revision = serializers.IntegerField()
    spans = SpansSerializer()
    answers = serializers.DictField(child=serializers.CharField())
    verdict = serializers.ChoiceField(choices=VERDICTS)
    reason = serializers.CharField()
    comment = serializers.CharField()
    read = ReadSerializer()
    active_seconds = serializers.IntegerField()
    dismissed = serializers.ListField(child=serializers.CharField(), help_text="Ids of dismissed suggestions.")
    unmarked = serializers.ListField(
        child=serializers.CharField(), help_text="In adjudication: keys of disputed regions deliberately left unmarked."
    )
    saved = serializers.DateTimeField(allow_null=True)


class TextSerializer(Fields):
    """A text with its tokens, sentences and paragraphs as half-open ranges of code points."""

    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=("ltr", "rtl"))
    text = serializers.CharField()
    tokens = ranges("")
    sentences = ranges("")
    paragraphs = ranges("")


class TermSerializer(Fields):
    """An entry of the glossary that occurs in the pair."""

    term = serializers.CharField()
    term_language = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    translation_language = serializers.CharField()
    note = serializers.CharField()


class TermMatchesSerializer(Fields):
    """Where entries occur, by side: first token, the one after the last, number of the entry."""

    a = triples()
    b = triples()


class PairGlossarySerializer(Fields):
    """The glossary entries for words of the pair."""

    entries = TermSerializer(many=True)
    matches = TermMatchesSerializer()


class PairSerializer(Fields):
    id = serializers.IntegerField()
    external_id = serializers.CharField()
    metadata = serializers.DictField(help_text="Empty if the lead doesn't show it.")
    a = TextSerializer()
    b = TextSerializer()
    statement = TextSerializer(allow_null=True)
    glossary = PairGlossarySerializer(required=False, help_text="Omitted if there is no glossary for these languages.")


class ReasonSerializer(Fields):
    """What differs ("number", "date" …), and the words of A and B that differ."""

    kind = serializers.CharField()
    a = serializers.CharField()
    b = serializers.CharField()


class ProposalSerializer(Fields):
    """A proposed span. Runs of earlier versions lack some of the optional fields."""

    id = serializers.CharField(required=False, help_text="The same for the same words in every run.")
    label = serializers.CharField()  # type: ignore[assignment]
    origin = serializers.ChoiceField(choices=ORIGINS, required=False)
    fragments = FragmentSerializer(many=True)
    score = serializers.FloatField(required=False, help_text="Confidence, in [0, 1].")
    level = serializers.IntegerField(
        min_value=1,
        max_value=3,
        required=False,
        help_text="Confidence relative to the run's other proposals: 3 is the highest.",
    )
    reason = ReasonSerializer(required=False)
    predicted = serializers.CharField(
        required=False, help_text="The label that the method predicts, if it predicts one."
    )
    phrase = serializers.CharField(required=False, help_text="A digest of the words, the same wherever they occur.")


class HighlightsSerializer(Fields):
    """A model's output: a difference score in [0, 1] per token, edges between token indices, proposed spans."""

    run = serializers.CharField()
    method = serializers.CharField()
    scores_a = serializers.ListField(child=serializers.FloatField())
    scores_b = serializers.ListField(child=serializers.FloatField())
    edges = ranges("token of A, token of B")
    proposals = ProposalSerializer(many=True)
    dismissed = serializers.ListField(child=serializers.CharField())


class ComparisonSerializer(Fields):
    """Qualification, after submission: the gold, and the lead's feedback on the pair."""

    gold = SpanSerializer(many=True)
    answers = serializers.DictField(child=serializers.CharField())
    feedback = serializers.CharField()


class GuidelineSerializer(Fields):
    version = serializers.IntegerField()
    html = serializers.CharField()


class PositionSerializer(Fields):
    n = serializers.IntegerField()
    of = serializers.IntegerField()
    done = serializers.IntegerField()


class LimitsSerializer(Fields):
    verdicts = serializers.ListField(child=serializers.ChoiceField(choices=FINAL_VERDICTS))
    skip_percent = serializers.IntegerField(allow_null=True)
    skips_used = serializers.IntegerField()
    skips_left = serializers.IntegerField(allow_null=True)
    phase_open = serializers.BooleanField()


class LabelSerializer(Fields):
    """A label that a span may have; `key` is what is stored, `value` orders graded labels."""

    key = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    colour = serializers.CharField(help_text="A name of `static/css/tokens.css`.")
    hotkey = serializers.CharField(help_text="Empty if it has none.")
    value = serializers.FloatField(allow_null=True)


class ChoiceSerializer(Fields):
    """One answer to a question."""

    key = serializers.CharField()
    name = serializers.CharField()
    hotkey = serializers.CharField(help_text="Empty if it has none.")
    value = serializers.FloatField(allow_null=True)


class QuestionSerializer(Fields):
    """A question of a rating scheme."""

    key = serializers.CharField()
    text = serializers.CharField()
    choices = ChoiceSerializer(many=True)
    type = serializers.CharField(
        required=False, help_text="How a custom scheme writes its answers; omitted if it lists them."
    )
    of = serializers.CharField(
        required=False, help_text="The question that this is one of several answers to, each chosen by yes or no."
    )


class SchemeSerializer(Fields):
    """What may be marked and answered."""

    name = serializers.CharField()
    labels = LabelSerializer(many=True)
    sides = serializers.ListField(child=serializers.ChoiceField(choices=SIDES), help_text="Those that may be marked.")
    links = serializers.BooleanField(help_text="Whether a span may have fragments on both sides.")
    discontinuous = serializers.BooleanField(help_text="Whether a span may have several fragments on a side.")
    overlap = serializers.BooleanField(help_text="Whether spans may overlap.")
    default = serializers.CharField(help_text="The label of unmarked words; no span has it.")
    questions = QuestionSerializer(many=True)
    statement = serializers.BooleanField(help_text="Whether the questions are about a third text.")


class ProjectSerializer(Fields):
    slug = serializers.SlugField()
    name = serializers.CharField()
    scheme = SchemeSerializer()


class MessageNumbersSerializer(Fields):
    """How many threads of messages there are. `new`: not read by their annotator, or not answered by a lead."""

    open = serializers.IntegerField()
    new = serializers.IntegerField()
    mine = serializers.BooleanField(help_text="Whether the pair is assigned to you; otherwise you write as a lead.")


class AssignmentSerializer(Fields):
    """An assignment with everything the workspace needs."""

    id = serializers.IntegerField()
    phase = serializers.ChoiceField(choices=Phase.choices)
    status = serializers.ChoiceField(choices=Status.choices)
    annotator = serializers.CharField()
    archived = serializers.BooleanField(help_text="Whether the project is archived: nothing can be saved then.")
    editable = serializers.BooleanField()
    reopen = serializers.BooleanField()
    final = serializers.BooleanField(
        help_text="Submitted and can't be reopened: there is a reference answer, and only the first submission counts."
    )
    project = ProjectSerializer()
    pair = PairSerializer()
    paragraph_alignment = serializers.ListField(
        child=serializers.ListField(child=indices(), min_length=2, max_length=2),
        help_text="Beads: the aligned paragraphs of A and of B; each paragraph is in one bead.",
    )
    annotation = AnnotationSerializer()
    highlights = HighlightsSerializer(allow_null=True)
    comparison = ComparisonSerializer(allow_null=True)
    guideline = GuidelineSerializer(allow_null=True)
    position = PositionSerializer()
    mirror = serializers.ChoiceField(
        choices=("", "next", "before"),
        help_text="Where the pair with the sides swapped is among this annotator's assignments.",
    )
    limits = LimitsSerializer()
    messages = MessageNumbersSerializer(required=False, help_text="Between annotator and leads.")
    urls = serializers.DictField(child=serializers.CharField())


class PreferencesSerializer(Fields):
    """A person's reading preferences. Given values are saved; missing ones are unchanged."""

    theme = serializers.ChoiceField(choices=("system", "light", "dark"), required=False)
    size = serializers.IntegerField(
        min_value=13, max_value=26, required=False, help_text="Font size of the texts, in pixels."
    )
    line = serializers.FloatField(min_value=1.5, max_value=2.3, required=False, help_text="Line height, in font sizes.")
    face = serializers.ChoiceField(choices=("serif", "sans"), required=False)
    together = serializers.BooleanField(required=False, help_text="Whether the texts scroll together.")
    ledger = serializers.BooleanField(required=False, help_text="Whether the list of spans is shown.")
    letters = serializers.BooleanField(required=False, help_text="Whether single letters are shortcuts everywhere.")
    whole = serializers.BooleanField(required=False, help_text="Whether find looks for whole words only.")
    split = serializers.IntegerField(
        min_value=15, max_value=85, required=False, help_text="Share of the height for the upper text, in percent."
    )


class OwnPreferencesSerializer(PreferencesSerializer):
    """All saved preferences of a person."""

    language = serializers.CharField(required=False, help_text="Language of the interface; chosen on the account page.")
    mails = serializers.BooleanField(required=False, help_text="Whether e-mails tell of messages about pairs.")


class ConflictSerializer(ErrorSerializer):
    """There is newer work, in `annotation`. Nothing was changed."""

    annotation = AnnotationSerializer(required=False)
