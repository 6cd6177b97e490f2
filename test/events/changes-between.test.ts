import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { applyJobEvent } from '../../src/core/events/apply-job-event.js';
import { changesBetween } from '../../src/core/events/changes-between.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { isTerminal, type JobState } from '../../src/core/state/job-state.js';
import { jobEvent } from '../helpers/job-event-arbitraries.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import { readJobEvent, readJobState } from '../../src/core/events/read-job-event.js';
import { stepJobState } from '../../src/core/state/step-job-state.js';
import { runs } from '../helpers/runs.js';

const workflow = { 1: { class_type: 'A', inputs: {} }, 2: { class_type: 'B', inputs: {} } };

/** The states of a job's life, with those that it shows left out that `shown` leaves out. */
const lives: fc.Arbitrary<readonly JobState[]> = fc
  .tuple(fc.array(fc.tuple(jobEvent, fc.boolean()), { maxLength: 30 }), fc.boolean())
  .map(([events, withId]) => {
    let state = initialJobState({ workflow, promptId: withId ? 'job-a' : undefined });
    const seen = [state];
    for (const [event, isShown] of events) {
      state = stepJobState(state, event);
      if (isShown) seen.push(state);
    }
    return seen;
  });

const overTheWire = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

describe('changesBetween', () => {
  it('leads by events from any state of a job to any later one', () => {
    fc.assert(
      fc.property(lives, (states) => {
        let told = states[0]!;
        for (const [index, next] of states.entries()) {
          if (index === 0) continue;
          told = changesBetween(states[index - 1]!, next, 1).reduce(applyJobEvent, told);
          expect(told).toEqual(next);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('leads to the same state over the wire', () => {
    fc.assert(
      fc.property(lives, (states) => {
        let told = readJobState(overTheWire(states[0]!));
        for (const [index, next] of states.entries()) {
          if (index === 0) continue;
          const events = changesBetween(states[index - 1]!, next, 1).map((event) =>
            readJobEvent(overTheWire(event)),
          );
          told = events.reduce(applyJobEvent, told);
        }
        expect(JSON.stringify(told)).toBe(JSON.stringify(readJobState(overTheWire(told))));
        expect(overTheWire(told)).toEqual(overTheWire(states.at(-1)!));
        expect(Object.getPrototypeOf(told.nodes)).toBeNull();
        expect(Object.getPrototypeOf(told.outputs)).toBeNull();
      }),
      { numRuns: runs(300) },
    );
  });

  it('tells nothing of a state that is the same', () => {
    fc.assert(
      fc.property(lives, (states) => {
        const last = states.at(-1)!;
        expect(changesBetween(last, readJobState(overTheWire(last)), 1)).toEqual([]);
      }),
    );
  });

  it('ends with a terminal status, and lists each file once', () => {
    fc.assert(
      fc.property(lives, (states) => {
        const events = states.flatMap((state, index) =>
          index === 0 ? [] : changesBetween(states[index - 1]!, state, 1),
        );
        const last = states.at(-1)!;
        const ends = events.map((event) => event.type === 'status' && isTerminal(event.status.phase));
        expect(isTerminal(last.phase) ? ends.at(-1) : ends.every((end) => !end)).toBe(true);
        const added = events.flatMap((event) => (event.type === 'output' ? event.added : []));
        const keys = added.map(({ nodeId, filename, subfolder, type }) =>
          JSON.stringify([nodeId, filename, subfolder, type]),
        );
        expect(new Set(keys).size).toBe(keys.length);
        expect(new Set(keys)).toEqual(
          new Set(
            outputFiles(last.outputs).map(({ nodeId, filename, subfolder, type }) =>
              JSON.stringify([nodeId, filename, subfolder, type]),
            ),
          ),
        );
      }),
      { numRuns: runs(500) },
    );
  });
});
