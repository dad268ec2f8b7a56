"""The shapes of people and invitations in the API."""

from __future__ import annotations

from rest_framework import serializers

from annotation.invitees import MAX_EMAIL_LENGTH, MAX_INVITEES, MAX_NAME_LENGTH
from annotation.models import Role
from annotation.models.people import Mailing
from annotation.number_parsing import MAX_INTEGER
from annotation.reading_languages import MAX_TAG_LENGTH
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer
from annotation.services.invitations import DAYS, MAX_DAYS
from annotation.vocabulary import InvitationState, ReadingLevel

ACCESS = ("account", "ended", "none")


class LanguageReadSerializer(Fields):
    """A language that a person reads, and how well."""

    language = serializers.CharField(max_length=MAX_TAG_LENGTH, help_text="A language tag (BCP 47), such as de-CH.")
    level = serializers.ChoiceField(choices=ReadingLevel.choices, help_text="By the CEFR, or native.")


class PersonSerializer(Fields):
    """A person in a project. `access`: whether an account can open it, its access has ended, or there is none."""

    id = serializers.IntegerField()
    alias = serializers.CharField(help_text="The name in the project.")
    username = serializers.CharField(allow_null=True, help_text="Of the account, also of one whose access has ended.")
    role = serializers.ChoiceField(choices=Role.choices)
    access = serializers.ChoiceField(choices=ACCESS)
    languages = LanguageReadSerializer(many=True, help_text="Empty if not stated: then all are assumed.")
    assigned = serializers.IntegerField()
    finished = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="Active time, without idle time.")


class PeopleQuerySerializer(PageSerializer):
    """Which people are wanted."""

    role = serializers.ChoiceField(choices=Role.choices, required=False)


class PeopleSerializer(PagedSerializer):
    """People of a project, in the order in which they joined."""

    people = PersonSerializer(many=True)


class PersonAddSerializer(Fields):
    """Someone to add: with a new account, or one that exists."""

    username = serializers.CharField(max_length=150)
    alias = serializers.CharField(
        max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, default="", help_text="A1, A2, … if empty."
    )
    role = serializers.ChoiceField(choices=Role.choices, required=False, default=Role.ANNOTATOR.value)


class AddedPersonSerializer(PersonSerializer):
    """A person who was added. `password`: of a new account, only in this response."""

    password = serializers.CharField(allow_null=True)
    returned = serializers.BooleanField(
        help_text="Whether they were in the project before, and got their membership back."
    )


class ShareSerializer(Fields):
    """The draw of the pairs that a person gets who joins midway."""

    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_INTEGER)


class PasswordLinkSerializer(Fields):
    """A link with which a person sets a new password, once."""

    link = serializers.CharField()


class SharedSerializer(Fields):
    """The pairs that a person got: those that all others share, and some that nobody had started."""

    shared = serializers.IntegerField()
    moved = serializers.IntegerField()


class PersonChangeSerializer(Fields):
    """What changes about a person; fields that are missing stay as they are."""

    alias = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False)
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    languages = LanguageReadSerializer(many=True, required=False)


class AccessChangeSerializer(Fields):
    """Whether a person's account can open the project."""

    access = serializers.BooleanField(help_text="false ends it, true restores access that was ended.")


class ReplaceSerializer(Fields):
    """Who takes over a person's unfinished pairs."""

    newcomer = serializers.IntegerField(help_text="The id of another annotator of the project.")
    end_access = serializers.BooleanField(required=False, default=False)
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only say what would be reassigned.")


class ReplacedSerializer(Fields):
    """The pairs that were, or would be, reassigned, and those that stay, by their ids in the data."""

    moved = serializers.ListField(child=serializers.CharField(), help_text="Not started: they move.")
    restarted = serializers.ListField(
        child=serializers.CharField(), help_text="In progress: the newcomer starts again; the work is kept."
    )
    staying = serializers.ListField(child=serializers.CharField())
    unread = serializers.ListField(
        child=serializers.CharField(), help_text="Reassigned pairs whose languages the newcomer does not read."
    )


class InviteeSerializer(Fields):
    """Someone to invite."""

    name = serializers.CharField(
        max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, default="", help_text="The name in the project."
    )
    email = serializers.EmailField(max_length=MAX_EMAIL_LENGTH, required=False, allow_blank=True, default="")


class InviteSerializer(Fields):
    """Whom to invite, as what, and for how many days. All are invited, or nobody."""

    people = InviteeSerializer(many=True, allow_empty=False, help_text=f"At most {MAX_INVITEES}.")
    role = serializers.ChoiceField(choices=Role.choices, required=False, default=Role.ANNOTATOR.value)
    days = serializers.IntegerField(min_value=1, max_value=MAX_DAYS, required=False, default=DAYS)


class InvitationSerializer(Fields):
    """An invitation. Name and address are cleared once it is accepted."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(choices=Role.choices)
    state = serializers.ChoiceField(choices=InvitationState.choices)
    mailing = serializers.ChoiceField(
        choices=[each.value for each in Mailing if each], allow_blank=True, help_text="Blank: its link is passed on."
    )
    made = serializers.DateTimeField()
    expires = serializers.DateTimeField()
    person = serializers.IntegerField(allow_null=True, help_text="The id of the person who accepted.")


class MadeInvitationSerializer(InvitationSerializer):
    """A new invitation; `link` is only in this response, and null if it is being sent by e-mail."""

    link = serializers.CharField(allow_null=True)


class InvitationsSerializer(PagedSerializer):
    """Invitations of a project, the newest first."""

    invitations = InvitationSerializer(many=True)


class MadeInvitationsSerializer(Fields):
    """The invitations that were made, in the order in which people were named."""

    invitations = MadeInvitationSerializer(many=True)
