import { canonicalJson } from '../../src/core/protocol/json/canonical-json.js';
import { mergeOutputs } from '../../src/core/state/merge-outputs.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import { jobEvent, nodeOutputs, outputs, runningFrame } from '../helpers/job-event-arbitraries.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import { type Outputs, readDescriptor } from '../../src/core/state/outputs.js';
import { runs } from '../helpers/runs.js';

const numRuns = runs(1000);
const promptId = 'job-a';

const foreign = jobEvent.filter(
  (event) => event._tag !== 'Refused' && event.promptId !== undefined && event.promptId !== promptId,
);

/** What arrives of the frames that were sent: some lost, some twice, in any order, among those of other jobs. */
const received = fc
  .tuple(fc.array(runningFrame(promptId), { maxLength: 12 }), fc.array(foreign, { maxLength: 4 }))
  .chain(([own, others]) => fc.shuffledSubarray([...own, ...own, ...others], { minLength: 0 }));

const history = fc.record({
  outputs,
  phase: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
});

describe('the fold of a job (law 4)', () => {
  it("F15: whichever events arrive, in any order, the job's record leads to the same end, and no file is lost", () => {
    fc.assert(
      fc.property(received, received, history, (some, others, told) => {
        const record: JobInput = { _tag: 'HistoryRead', promptId, isFinal: true, ...told };
        for (const events of [some, others]) {
          const before = events.reduce(stepJobState, initialJobState({ promptId }));
          const { phase, outputs: found, outputsComplete } = stepJobState(before, record);
          const [seen, listed, all] = [before.outputs, told.outputs, found].map(filesOf);
          expect(phase).toBe(told.phase);
          expect(all).toEqual(new Set([...(seen ?? []), ...(listed ?? [])]));
          expect(outputsComplete).toBe([...(seen ?? [])].every((file) => listed?.has(file)));
        }
      }),
      { numRuns },
    );
  });

  it('what arrives after the record changes nothing', () => {
    fc.assert(
      fc.property(received, received, history, (before, after, told) => {
        const record: JobInput = { _tag: 'HistoryRead', promptId, ...told };
        const end = [...before, record].reduce(stepJobState, initialJobState({ promptId }));
        expect(after.reduce(stepJobState, end)).toBe(end);
      }),
      { numRuns },
    );
  });

  it('outputs of nodes add up to the same files, in any order and however often they arrive', () => {
    const executed = fc
      .record({ node: fc.constantFrom('1', '__proto__'), output: nodeOutputs })
      .map(({ node, output }): Frame => ({
        _tag: 'Event',
        type: 'executed',
        promptId,
        data: { prompt_id: promptId, node, output },
      }));
    const sent = fc.array(executed, { maxLength: 6 });
    fc.assert(
      fc.property(
        sent.chain((frames) =>
          fc.tuple(
            fc.constant(frames),
            fc.shuffledSubarray([...frames, ...frames], { minLength: frames.length * 2 }),
          ),
        ),
        ([frames, again]) => {
          const [one, other] = [frames, again].map(
            (all) => all.reduce(stepJobState, initialJobState({ promptId })).outputs,
          );
          const files = (of: typeof one) => arrayElements(of ?? {});
          expect(files(other)).toEqual(files(one));
        },
      ),
      { numRuns },
    );
  });
});

describe('mergeOutputs', () => {
  it('is idempotent, and adding what is there already gives the very same object', () => {
    fc.assert(
      fc.property(outputs, outputs, (one, other) => {
        const both = mergeOutputs(one, other);
        expect(mergeOutputs(both, other)).toBe(both);
        expect(mergeOutputs(both, one)).toBe(both);
        expect(mergeOutputs(both, both)).toBe(both);
      }),
      { numRuns },
    );
  });
});

/** The files by node, under any key. */
const filesOf = (of: Outputs): ReadonlySet<string> =>
  new Set(
    outputFiles(of).map(({ nodeId, filename, subfolder, type }) =>
      JSON.stringify([nodeId, filename, subfolder, type]),
    ),
  );

/** All array elements by node and key, in an order of their own. */
const arrayElements = (of: Readonly<Record<string, Readonly<Record<string, unknown>>>>): readonly string[] =>
  Object.entries(of)
    .flatMap(([node, keys]) =>
      Object.entries(keys).flatMap(([key, list]) =>
        Array.isArray(list)
          ? list.map((element) =>
              JSON.stringify([node, key, readDescriptor(element) ?? canonicalJson(element)]),
            )
          : [],
      ),
    )
    .toSorted();
