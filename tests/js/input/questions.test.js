/** The questions of a scheme, answered by key, by click or in one's own words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, send, words } from "../page.js";
import { built, QUESTIONS, RATING } from "../built.js";
import { Questions } from "../../../static/js/workspace/input/questions.js";

test("questions are answered by key, one after the other, or by a click", () => {
  const { store, say, said } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  assert.deepEqual(
    [at("questions").hidden, groups.map((one) => one.className), questions.unanswered().length],
    [false, ["current", ""], 2],
  );
  assert.ok(!questions.answer(["x"], document.body));
  assert.ok(questions.answer(["y"], document.body));
  assert.deepEqual(
    [store.doc.answers, said.at(-1), groups.map((one) => one.className), questions.unanswered().length],
    [{ form: "yes" }, "Answer: yes", ["", "current"], 1],
  );
  assert.ok(groups[0].querySelector("input[value=yes]").checked);
  questions.next();
  assert.equal(document.activeElement, groups[1].querySelector("input"));
  questions.next();
  assert.equal(document.activeElement, groups[0].querySelector("input:checked"));
  const input = groups[1].querySelector("input[value=no]");
  input.checked = true;
  send(input, "change");
  assert.deepEqual(store.doc.answers, { form: "yes", meaning: "no" });
  store.undo();
  assert.ok(!input.checked);
  store.readOnly = true;
  store.emit("view");
  assert.ok(input.disabled);
});

test("several answers are ticked one by one, none of them is an answer too, and own words may be left out", () => {
  const yesNo = [
    { key: "yes", name: "Yes", hotkey: "1", value: 1 },
    { key: "no", name: "No", hotkey: "", value: 0 },
  ];
  const option = (key, hotkey) => ({
    key: `what.${key}`,
    text: key,
    of: "What differs?",
    type: "several",
    choices: [{ ...yesNo[0], hotkey }, yesNo[1]],
  });
  const asked = [option("dates", "1"), option("names", "2"), { key: "why", text: "Why?", type: "text", choices: [] }];
  const { store, say, said } = built({ scheme: { ...RATING, questions: asked } });
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  assert.deepEqual(
    groups.map((one) => one.querySelector("legend").textContent),
    ["What differs?", "Why?"],
  );
  assert.equal(questions.unanswered().length, 1);
  const [dates, names, none] = groups[0].querySelectorAll("input");
  assert.ok(questions.answer(["2"], document.body));
  assert.deepEqual(
    [store.doc.answers, questions.unanswered().length, said.at(-1)],
    [{ "what.dates": "no", "what.names": "yes" }, 0, "Answer: names"],
  );
  assert.deepEqual([dates.checked, names.checked, none.checked], [false, true, false]);
  send(dates, "change");
  assert.deepEqual([store.doc.answers["what.dates"], said.at(-1)], ["yes", "Answer: dates, names"]);
  send(none, "change");
  assert.deepEqual(
    [store.doc.answers, none.checked, said.at(-1)],
    [{ "what.dates": "no", "what.names": "no" }, true, "Answer: None of these"],
  );
  send(none, "change");
  assert.deepEqual([store.doc.answers, none.checked], [{}, false]);
  store.undo();
  assert.ok(none.checked);
  const area = groups[1].querySelector("textarea");
  for (const words of ["N", "No ", "No dates"]) {
    area.value = words;
    send(area, "input");
  }
  assert.equal(store.doc.answers.why, "No dates");
  store.undo();
  assert.deepEqual([store.doc.answers.why, area.value], [undefined, ""]);
  store.readOnly = true;
  store.emit("view");
  assert.ok(area.readOnly && none.disabled);
});

test("a question says of which type it is, so that a style can lay out its answers", () => {
  const { store, say } = built({
    scheme: { ...RATING, questions: [{ ...QUESTIONS[0], type: "scale" }, QUESTIONS[1]] },
  });
  new Questions(store, say);
  assert.deepEqual(
    [...at("questions").querySelectorAll("fieldset")].map((one) => one.dataset.type),
    ["scale", "choices"],
  );
});

test("if there is something to mark, keys answer only in the questions; without questions there is no panel", () => {
  const { store, say, data } = built();
  data.project.scheme = { ...data.project.scheme, questions: QUESTIONS };
  assert.ok(new Questions(store, say).panel.hidden);
  store.scheme = { ...store.scheme, questions: QUESTIONS };
  const questions = new Questions(store, say);
  assert.ok(!questions.answer(["y"], document.body));
  assert.ok(questions.answer(["y"], at("questions").querySelector("input")));
});

test("a digit answers the question that has the focus, also if it is a label's too, and then never marks a word", () => {
  const yesNo = ["yes", "no"].map((key, n) => ({ key, name: key, hotkey: "", value: 1 - n }));
  const scale = {
    key: "grade",
    text: "How much?",
    type: "scale",
    choices: [2, 3, 4].map((n) => ({ key: `${n}`, name: `${n}`, hotkey: "", value: n })),
  };
  const option = (key) => ({ key: `what.${key}`, text: key, of: "What?", type: "several", choices: yesNo });
  const { store, say } = built();
  store.scheme = {
    ...store.scheme,
    questions: [scale, option("dates"), option("names"), { key: "why", text: "Why?", type: "text", choices: [] }],
  };
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  const keys = groups.map((one) => [...one.querySelectorAll("kbd")].map((kbd) => [kbd.textContent, kbd.className]));
  assert.deepEqual(keys, [
    ["2", "3", "4"].map((key) => [key, "inside"]),
    ["1", "2", "3"].map((key) => [key, "inside"]),
    [],
  ]);
  assert.ok(!questions.answer(["3"], document.body), "in the texts it is the label's");
  questions.focus();
  assert.ok(questions.answer(["1"], document.activeElement), "no label either");
  assert.deepEqual(store.doc.answers, {});
  assert.ok(questions.answer(["3"], document.activeElement));
  assert.deepEqual([store.doc.answers, groups[1].contains(document.activeElement)], [{ grade: "3" }, true]);
  assert.ok(questions.answer(["&", "1"], document.activeElement));
  assert.deepEqual([store.doc.answers["what.dates"], store.doc.answers["what.names"]], ["yes", "no"]);
  assert.ok(questions.answer(["3"], document.activeElement));
  assert.deepEqual(
    [store.doc.answers["what.dates"], store.doc.answers["what.names"], store.doc.spans.size],
    ["no", "no", 0],
  );
  assert.ok(!questions.answer(["q"], document.activeElement), "other keys do what they do elsewhere");
});

test("in a read-only pair nothing is answered, and nothing is announced as an answer", () => {
  const { store, say, said } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  store.readOnly = true;
  questions.answer(["y"], document.body);
  questions.setAnswers({ form: "no" });
  assert.deepEqual([store.doc.answers, said], [{}, []]);
});

test("an answer given again is announced, but no step to undo", () => {
  const { store, say, said } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  for (let n = 0; n < 2; n += 1) questions.setAnswers({ form: "yes" });
  assert.deepEqual([store.history.patches.length, said.length, said[0] === said[1]], [1, 2, true]);
  questions.setAnswers({ unknown: "yes" });
  assert.equal(said.length, 2, "an answer to no question of the page");
});

test("a page opens at the first unanswered question, and stays at the first if all are answered", () => {
  const current = (answers) => {
    const { store, say } = built({ scheme: RATING, annotation: { answers } });
    const questions = new Questions(store, say);
    return [
      questions.current,
      [...at("questions").querySelectorAll("fieldset")].map((one) => one.className),
      [...at("questions").querySelectorAll("input:checked")].map(({ value }) => value),
    ];
  };
  assert.deepEqual(current({ form: "no" }), [1, ["", "current"], ["no"]]);
  assert.deepEqual(current({ form: "no", meaning: "yes" }), [0, ["current", ""], ["no", "yes"]]);
});

test("answered by key in the texts, the focus stays there; within the questions it goes along", () => {
  const { store, say, word } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  word("a", 0).tabIndex = 0;
  word("a", 0).focus();
  questions.answer(["y"], word("a", 0));
  assert.deepEqual([questions.current, document.activeElement === word("a", 0)], [1, true]);
  questions.answer(["n"], word("a", 0));
  assert.deepEqual([store.doc.answers, questions.current], [{ form: "yes", meaning: "no" }, 1], "the last one stays");
});

test("a question that gets the focus is the current one", () => {
  const { store, say } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  send(groups[1].querySelector("input"), "focusin");
  assert.deepEqual([questions.current, groups.map((one) => one.className)], [1, ["", "current"]]);
});
