/** Annotators' names in sentences of manual adjudication. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { joinNames } from "../../../static/js/adjudicate/people.js";

test("a name that is a number is no count", () => {
  assert.equal(joinNames(["0", "A1", "12"]), "“0”, A1, “12”");
  assert.equal(joinNames([]), "");
});
