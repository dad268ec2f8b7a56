"""The layout of SwissGov-RSD's published files: folders of phases, annotators and languages, and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.formats.source import display_name, refusal
from annotation.phrases import Phrase
from annotation.vocabulary import Phase

FOLDERS = {Phase.MAIN.value: "annotations_raw", Phase.TRIAL.value: "annotations_trial"}


def is_annotations(path: Path) -> bool:
    """Whether a folder is the published one, a phase's folder of it, or what it lies in."""
    within = [root / folder for root in (path, path / "annotations") for folder in FOLDERS.values()]
    return path.name in FOLDERS.values() or any(folder.is_dir() for folder in within)


def find_root(paths: Sequence[Path], options: Mapping[str, str]) -> tuple[Path, str]:
    """The folder that holds the phases' folders, and the requested phase. Raises FormatError."""
    phase = options.get("phase", "")
    if phase and phase not in FOLDERS:
        raise refusal(
            "option phase",
            Phrase("'%(phase)s' is not one of %(names)s", {"phase": phase, "names": ", ".join(FOLDERS)}),
        )
    if len(paths) != 1 or not paths[0].is_dir():
        raise refusal(
            ", ".join(map(display_name, paths)),
            Phrase("one folder is expected: the published 'annotations', or 'annotations_raw'"),
        )
    path = paths[0].resolve()
    for name, folder in FOLDERS.items():
        if path.name == folder:
            if phase not in ("", name):
                where = display_name(paths[0])
                raise refusal(
                    where,
                    Phrase(
                        "holds the %(name)s phase; the option phase=%(phase)s requests another",
                        {"name": str(name), "phase": str(phase)},
                    ),
                )
            return path.parent, name
    phase = phase or Phase.MAIN.value
    for root in (path, path / "annotations"):
        if (root / FOLDERS[phase]).is_dir():
            return root, phase
    raise refusal(
        display_name(paths[0]),
        Phrase(
            "there is no %(folders)s in it, which holds the %(phase)s phase",
            {"folders": str(FOLDERS[phase]), "phase": str(phase)},
        ),
    )


def annotator_folders(folder: Path) -> list[Path]:
    """The annotators' folders of a phase, sorted by number."""
    return sorted(item for item in folder.glob("annotations*") if item.is_dir())


def find_language(root: Path, phase: str, options: Mapping[str, str]) -> str:
    """The other language: the requested one, or the only one. Raises FormatError."""
    folders = annotator_folders(root / FOLDERS[phase])
    existing = sorted({item.name for folder in folders for item in folder.iterdir() if item.is_dir()})
    language = options.get("language") or (existing[0] if len(existing) == 1 else "")
    if not language or language not in existing:
        raise refusal(
            f"option language={language or '…'}",
            Phrase(
                "%(folders)s holds %(value)s; choose one of those",
                {"folders": str(FOLDERS[phase]), "value": ", ".join(existing) or Phrase("no language")},
            ),
        )
    return language


def find_pages(root: Path, options: Mapping[str, str]) -> Path:
    """The folder of the pages' text. Raises FormatError."""
    if pages := options.get("pages"):
        if not Path(pages).is_dir():
            raise refusal(f"option pages={pages}", Phrase("there is no such folder"))
        return Path(pages)
    for folder in (root, root.parent, root.parent.parent):
        if (folder / "cut_parsed_pages").is_dir():
            return folder / "cut_parsed_pages"
    raise refusal(
        "cut_parsed_pages",
        Phrase("the folder with the pages' text is missing; put it in the folder that you import, or above it"),
    )


def find_lists(root: Path) -> list[Path]:
    """The lists of aligned pages."""
    return next((lists for folder in (root, root.parent) if (lists := sorted(folder.glob("aligned_pages*.json")))), [])
