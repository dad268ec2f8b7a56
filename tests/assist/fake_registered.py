"""Included by worker processes of tests: makes the tests' methods known there."""

from assist.methods.base import register
from tests.assist.fake import FAKES

for each in FAKES:
    register(each)
