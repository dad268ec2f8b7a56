// SPDX-License-Identifier: GPL-3.0-or-later
// The faults of JavaScript modules, as JSON: node javascript.mjs PATH… (paths from the working folder). See faults.py.
import { readFileSync } from "node:fs";
import ts from "typescript";

const { SyntaxKind: Kind } = ts;
const SWAPS = new Map([
  [Kind.EqualsEqualsEqualsToken, "!=="],
  [Kind.ExclamationEqualsEqualsToken, "==="],
  [Kind.EqualsEqualsToken, "!="],
  [Kind.ExclamationEqualsToken, "=="],
  [Kind.LessThanToken, "<="],
  [Kind.LessThanEqualsToken, "<"],
  [Kind.GreaterThanToken, ">="],
  [Kind.GreaterThanEqualsToken, ">"],
  [Kind.PlusToken, "-"],
  [Kind.MinusToken, "+"],
  [Kind.AsteriskToken, "/"],
  [Kind.SlashToken, "*"],
  [Kind.PercentToken, "*"],
  [Kind.AmpersandAmpersandToken, "||"],
  [Kind.BarBarToken, "&&"],
  [Kind.QuestionQuestionToken, "&&"],
  [Kind.PlusEqualsToken, "-="],
  [Kind.MinusEqualsToken, "+="],
]);

/** @param {string} path */
function faultsOf(path) {
  const source = readFileSync(path, "utf8");
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];
  const bytes = (at) => Buffer.byteLength(source.slice(0, at));
  const replace = (node, text, kind) => {
    const [start, end] = [node.getStart(tree), node.getEnd()];
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ path, line, start: bytes(start), end: bytes(end), text, kind });
  };
  const negate = (test) => replace(test, `!(${test.getText(tree)})`, "condition negated");
  const visit = (node) => {
    if (ts.isBinaryExpression(node) && SWAPS.has(node.operatorToken.kind)) {
      replace(node.operatorToken, SWAPS.get(node.operatorToken.kind), "operator changed");
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) negate(node.expression);
    if (ts.isConditionalExpression(node)) negate(node.condition);
    if (ts.isForStatement(node) && node.condition) negate(node.condition);
    if (ts.isReturnStatement(node) && node.expression) replace(node.expression, "undefined", "return value dropped");
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) replace(node.body, "undefined", "return value dropped");
    if (ts.isNumericLiteral(node)) replace(node, String(Number(node.text) + 1), "constant changed");
    if (node.kind === Kind.TrueKeyword) replace(node, "false", "constant changed");
    if (node.kind === Kind.FalseKeyword) replace(node, "true", "constant changed");
    if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) replace(node, ";", "statement removed");
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

process.stdout.write(JSON.stringify(process.argv.slice(2).flatMap(faultsOf)));
