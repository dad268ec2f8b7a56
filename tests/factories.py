"""Small objects for tests: a project with a pair, people and work, with as few values as a test needs."""

from __future__ import annotations

from typing import Any

import factory
from factory.django import DjangoModelFactory

from annotation import models
from annotation.text.paragraphs import paragraphs
from annotation.text.schemes import PRESETS
from annotation.text.sentences import SPLITTER, sentences
from annotation.text.tokens import TOKENIZER, tokenize


class UserFactory(DjangoModelFactory[models.User]):
    class Meta:
        model = models.User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"user{n}")
    password = factory.PostGenerationMethodCall("set_password", "correct horse battery")

    @classmethod
    def _after_postgeneration(cls, instance: models.User, create: bool, results: Any = None) -> None:
        if create:
            instance.save()


class ProjectFactory(DjangoModelFactory[models.Project]):
    class Meta:
        model = models.Project

    slug = factory.Sequence(lambda n: f"project-{n}")
    name = factory.LazyAttribute(lambda project: project.slug.replace("-", " "))
    scheme = factory.LazyFunction(lambda: PRESETS["graded"].to_json())


class AnnotatorFactory(DjangoModelFactory[models.Annotator]):
    class Meta:
        model = models.Annotator

    project = factory.SubFactory(ProjectFactory)
    user = factory.SubFactory(UserFactory)
    alias = factory.Sequence(lambda n: f"annotator{n}")
    role = models.Role.ANNOTATOR


class TextFactory(DjangoModelFactory[models.Text]):
    class Meta:
        model = models.Text

    language = "en"
    content = "The library is open on Sundays.\nChildren pay nothing."
    tokens = factory.LazyAttribute(lambda text: tokenize(text.content, text.language))
    sentences = factory.LazyAttribute(lambda text: sentences(text.content, text.language))
    paragraphs = factory.LazyAttribute(lambda text: paragraphs(text.content))
    tokenizer = TOKENIZER
    splitter = SPLITTER
    digest = factory.Sequence(lambda n: f"{n:064x}")


class PairFactory(DjangoModelFactory[models.Pair]):
    class Meta:
        model = models.Pair

    project = factory.SubFactory(ProjectFactory)
    a = factory.SubFactory(TextFactory)
    b = factory.SubFactory(
        TextFactory, language="de", content="Die Bibliothek ist sonntags geöffnet.\nKinder zahlen die Hälfte."
    )
    external_id = factory.Sequence(lambda n: f"pair-{n}")
    position = factory.Sequence(int)


class AssignmentFactory(DjangoModelFactory[models.Assignment]):
    class Meta:
        model = models.Assignment

    pair = factory.SubFactory(PairFactory)
    annotator = factory.SubFactory(AnnotatorFactory, project=factory.SelfAttribute("..pair.project"))
    order = factory.Sequence(int)
