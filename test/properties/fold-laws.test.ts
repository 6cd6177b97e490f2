import { afterAll, describe, expect, it } from 'vitest';
import { eventKinds, jobEvent, kindOf } from '../helpers/job-event-arbitraries.js';
import fc from 'fast-check';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { isTerminal, type JobState } from '../../src/core/state/job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import { mergeOutputs } from '../../src/core/state/merge-outputs.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import type { Outputs } from '../../src/core/state/outputs.js';
import { often, runs } from '../helpers/runs.js';

const numRuns = runs(1000);
const hits = new Map<string, number>();

const start: fc.Arbitrary<JobState> = fc
  .record({ promptId: fc.constantFrom(undefined, 'job-a'), nodes: fc.constantFrom(undefined, 0, 1, 7) })
  .map(({ promptId, nodes }) =>
    initialJobState({
      promptId,
      workflow:
        nodes === undefined
          ? undefined
          : Object.fromEntries(Array.from({ length: nodes }, (_, n) => [n, { class_type: 'A', inputs: {} }])),
    }),
  );

/** Each state of a fold with the event that led to it and the state before. */
const steps = (from: JobState, events: readonly JobInput[]) => {
  let before = from;
  return events.map((event) => {
    hits.set(kindOf(event), (hits.get(kindOf(event)) ?? 0) + 1);
    const step = { before, event, after: stepJobState(before, event) };
    before = step.after;
    return step;
  });
};

const holds = (law: (step: { before: JobState; event: JobInput; after: JobState }) => void): void => {
  fc.assert(
    fc.property(start, fc.array(jobEvent, { maxLength: 30 }), (from, events) =>
      steps(from, events).forEach(law),
    ),
    { numRuns },
  );
};

const rank: Record<JobState['phase'], number> = {
  submitting: 0,
  pending: 1,
  in_progress: 2,
  completed: 3,
  failed: 3,
  cancelled: 3,
  untraceable: 3,
  unknown: 3,
};

const filesOf = (outputs: Outputs): ReadonlySet<string> =>
  new Set(
    outputFiles(outputs).map(({ nodeId, filename, subfolder, type }) =>
      JSON.stringify([nodeId, filename, subfolder, type]),
    ),
  );

describe('the fold of a job (law 3)', () => {
  afterAll(() => {
    expect(eventKinds.filter((kind) => (hits.get(kind) ?? 0) < often(100))).toEqual([]);
  });

  it('is total: every event gives a state, for any node values, and a state is never written to', () => {
    holds(({ before, event, after }) => {
      expect(after.promptId === before.promptId || before.promptId === '').toBe(true);
      expect(stepJobState(Object.freeze(before), event)).toEqual(after);
      for (const { value, max, fraction, phase } of Object.values(after.nodes)) {
        expect(Number.isFinite(value) && value >= 0 && Number.isFinite(max) && max >= 0).toBe(true);
        expect(max === 0 || value <= max).toBe(true);
        expect(fraction >= 0 && fraction <= 1).toBe(true);
        expect(fraction === 1 || (phase !== 'finished' && phase !== 'cached')).toBe(true);
      }
    });
  });

  it('terminal phases absorb: the state after the end is the state at the end', () => {
    holds(({ before, after }) => {
      if (isTerminal(before.phase)) expect(after).toBe(before);
    });
  });

  it('M10: no node of a job that is over runs', () => {
    holds(({ before, after }) => {
      const nodes = isTerminal(after.phase) && !isTerminal(before.phase) ? Object.values(after.nodes) : [];
      expect(nodes.filter(({ phase }) => phase === 'running')).toEqual([]);
    });
  });

  it('phases never go back', () => {
    holds(({ before, after }) => expect(rank[after.phase]).toBeGreaterThanOrEqual(rank[before.phase]));
  });

  it('duplicates change nothing: an event that comes twice leaves the very same state', () => {
    holds(({ event, after }) => expect(stepJobState(after, structuredClone(event))).toBe(after));
  });

  it('events of other jobs change nothing', () => {
    holds(({ before, event, after }) => {
      const named = event._tag === 'Refused' ? undefined : event.promptId;
      if (before.promptId !== '' && named !== undefined && named !== before.promptId)
        expect(after).toBe(before);
    });
  });

  it('no node goes back, nor is one forgotten', () => {
    holds(({ before, after }) => {
      for (const node of Object.values(before.nodes)) {
        const now = after.nodes[node.nodeId];
        expect(now?.value).toBeGreaterThanOrEqual(node.value);
        expect(now?.fraction).toBeGreaterThanOrEqual(node.fraction);
        const isBlamed = after.failure?.nodeId === node.nodeId;
        if (isBlamed) expect(now?.phase).toBe('failed');
        else if (node.phase !== 'running') expect(now?.phase).toBe(node.phase);
      }
    });
  });

  it('overall progress never goes back, stays within 0 and 1, and is 1 exactly when the job is completed', () => {
    holds(({ before, after }) => {
      expect(after.progress).toBeGreaterThanOrEqual(before.progress);
      expect(after.progress).toBeGreaterThanOrEqual(0);
      expect(after.progress).toBeLessThanOrEqual(1);
      expect(after.progress === 1).toBe(after.phase === 'completed');
    });
  });

  it('F15: outputs are the union, by file, of what was told, and complete where a final record lacks none', () => {
    holds(({ before, event, after }) => {
      expect(isSubset(filesOf(before.outputs), filesOf(after.outputs))).toBe(true);
      if (event._tag !== 'HistoryRead' || after === before) {
        expect(after.outputsComplete).toBe(before.outputsComplete);
        return;
      }
      const both = new Set([...filesOf(before.outputs), ...filesOf(event.outputs)]);
      expect(filesOf(after.outputs)).toEqual(both);
      const isWhole = isSubset(both, filesOf(event.outputs));
      expect(after.outputsComplete).toBe(event.phase !== undefined && event.isFinal === true && isWhole);
    });
  });

  it('until the end no reported output is replaced', () => {
    holds(({ before, after }) => {
      if (!isTerminal(after.phase)) expect(mergeOutputs(after.outputs, before.outputs)).toBe(after.outputs);
    });
  });

  it('a failure is shown exactly when the job failed', () => {
    holds(({ after }) => expect(after.failure !== undefined).toBe(after.phase === 'failed'));
  });
});

const isSubset = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  [...part].every((one) => whole.has(one));
