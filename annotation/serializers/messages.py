"""The shapes of messages in the API."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models.messages import Party
from annotation.number_parsing import MAX_INTEGER
from annotation.selectors.threads import STATUSES, ThreadStatus
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.serializers.fields import StrictBoolean, StrictInteger, StrictText
from annotation.serializers.workspace import FragmentSerializer
from annotation.text.limits import MAX_MESSAGE_LENGTH, MAX_QUOTES
from annotation.text.schemes import SIDES


class ThreadsQuerySerializer(PageSerializer):
    """Which threads are wanted: by status, and about one assignment or all."""

    size = serializers.IntegerField(required=False, default=20, min_value=1, max_value=50)
    status = serializers.ChoiceField(choices=STATUSES, required=False, default=ThreadStatus.ALL.value)
    assignment = serializers.IntegerField(required=False, min_value=1, max_value=MAX_INTEGER)


class QuotedSerializer(FragmentSerializer):
    """Words that a thread is about, as they were; of many characters, the first 300."""

    text = serializers.CharField()


class MessageSerializer(Fields):
    """One message. `name`: the alias of an annotator; of a lead, the username for leads, and empty for annotators."""

    id = serializers.IntegerField()
    by = serializers.ChoiceField(choices=Party.choices)
    name = serializers.CharField(allow_blank=True)
    mine = serializers.BooleanField()
    text = serializers.CharField()
    made = serializers.DateTimeField()


class ThreadSerializer(Fields):
    """What an annotator and the leads say about a pair, or about `words` of it, the oldest message first."""

    id = serializers.IntegerField()
    assignment = serializers.IntegerField()
    pair = serializers.CharField(help_text="Its id in the data.")
    annotator = serializers.CharField(help_text="The alias of whoever the pair is assigned to.")
    span = serializers.CharField(allow_blank=True, help_text="The id of the span; it may have been deleted since.")
    words = QuotedSerializer(many=True)
    resolved = serializers.BooleanField()
    waiting_for = serializers.ChoiceField(choices=Party.choices, help_text="Whoever did not write last.")
    unread = serializers.BooleanField(help_text="Whether the annotator has not read a lead's message.")
    new = serializers.BooleanField(help_text="Whether a message waits for you that you have not read.")
    read_by = serializers.ListField(
        child=serializers.CharField(),
        help_text="For leads: the usernames of the other leads who have read what waits for one of them.",
    )
    changed = serializers.DateTimeField(help_text="When the last message was written.")
    messages = MessageSerializer(many=True)


class ThreadsSerializer(PagedSerializer):
    """Threads: what waits for a lead first, then what waits for an annotator, then what is resolved."""

    threads = ThreadSerializer(many=True)


@extend_schema_field({"type": "string", "minLength": 1, "maxLength": MAX_MESSAGE_LENGTH})
class MessageText(StrictText):
    """The text of a message. The service checks it; a line break counts as one character."""

    def __init__(self) -> None:
        super().__init__(allow_blank=True, trim_whitespace=False)


class QuotedRangeSerializer(Fields):
    """Words that a first message is about: a half-open range of Unicode code points of one side."""

    side = serializers.ChoiceField(choices=SIDES)
    start = StrictInteger(min_value=0, max_value=MAX_INTEGER)
    end = StrictInteger(min_value=1, max_value=MAX_INTEGER)


class NewThreadSerializer(Fields):
    """A first message about an assignment, or about words of its texts."""

    assignment = StrictInteger(min_value=1, max_value=MAX_INTEGER)
    text = MessageText()
    words = QuotedRangeSerializer(
        many=True, required=False, default=list, help_text=f"At most {MAX_QUOTES}, each of them once."
    )
    span = StrictText(
        required=False,
        default="",
        allow_blank=True,
        max_length=64,
        help_text="The id of the span that the words are, if it is saved with the pair's annotation.",
    )


class NewMessageSerializer(Fields):
    """A message."""

    text = MessageText()


class ResolvedSerializer(Fields):
    """Whether a thread is resolved."""

    resolved = StrictBoolean()


class ReadUpToSerializer(Fields):
    """Up to which message you have read a thread."""

    last = StrictInteger(min_value=1, max_value=MAX_INTEGER, help_text="The id of the last message read.")
