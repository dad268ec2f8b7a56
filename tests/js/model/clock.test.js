import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, IDLE } from "../../../static/js/workspace/model/clock.js";

function setup(seconds = 0) {
  const time = { now: 0 };
  return { time, clock: new Clock(seconds, () => time.now) };
}

test("an open tab does not count as work", () => {
  const { time, clock } = setup(30);
  time.now = 10 * IDLE;
  assert.equal(clock.seconds, 30);
});

test("time counts from input to input, and for a limited time after the last", () => {
  const { time, clock } = setup();
  clock.recordInput();
  for (let n = 1; n <= 10; n += 1) {
    time.now = n * 20000;
    clock.recordInput();
  }
  assert.equal(clock.seconds, 200);
  time.now += 30 * IDLE;
  assert.equal(clock.seconds, 200 + IDLE / 1000);
  clock.recordInput();
  time.now += 5000;
  assert.equal(clock.seconds, 205 + IDLE / 1000, "the pause itself is not counted when work goes on");
});

test("reading the time often does not change it", () => {
  const { time, clock } = setup();
  clock.recordInput();
  for (let n = 0; n < 200; n += 1) {
    time.now += 1000;
    void clock.seconds;
  }
  assert.equal(clock.seconds, IDLE / 1000);
});

test("a hidden page stops the clock at once", () => {
  const { time, clock } = setup();
  clock.recordInput();
  time.now = 10000;
  clock.stop();
  time.now = 50000;
  assert.equal(clock.seconds, 10);
});

test("the user is active from the first input until some time after the last, or until the page is hidden", () => {
  const { time, clock } = setup();
  assert.equal(clock.active, false);
  clock.recordInput();
  time.now = IDLE - 1;
  assert.equal(clock.active, true);
  time.now = IDLE + 1;
  assert.equal(clock.active, false);
  clock.recordInput();
  clock.stop();
  assert.equal(clock.active, false);
});
