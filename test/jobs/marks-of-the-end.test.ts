import { describe, expect, it } from 'vitest';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { run } from '../../src/client/jobs/run.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const p = messages('p');
const outputs = { 9: { images: [imageOf('a.png')] } };
const marks = [p.executed('9', 'a.png'), p.success, p.executing(null)];
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];
/** Every selection of the marks, in every order. */
const cases = orders.flatMap((order) =>
  Array.from({ length: 8 }, (_, bits) => order.filter((mark) => (bits & (1 << mark)) !== 0)),
);

describe('a job that has ended', () => {
  it.each(['completed', 'failed'] as const)(
    'C5, C6: is %s once, whichever of its last messages come, and in whatever order',
    async (phase) => {
      for (const chosen of cases) {
        const { context, socket, platform } = jobHarness({
          submit: () => TE.right({ promptId: 'p', nodeErrors: {} }),
          jobStatus: () => TE.right({ promptId: 'p', status: phase, phase }),
          history: () => TE.right({ promptId: 'p', outputs, phase, isFinal: true, record: {} }),
        });
        const hooks = {
          orphaned: () => undefined,
          outcomeUnknown: () => undefined,
          abandon: () => undefined,
        };
        const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
        const { states, last, completed } = watch(run(context, hooks, workflow));
        socket().open();
        await platform.clock.advance(0);
        socket().receive(p.start);
        for (const mark of chosen) {
          socket().receive(marks[mark]!);
          await platform.clock.advance(5);
        }
        await platform.clock.advance(45_000);
        expect([chosen, last().phase, last().outputs, completed()]).toEqual([chosen, phase, outputs, true]);
        expect(states.filter((state) => state.phase === phase)).toHaveLength(1);
      }
    },
  );

  it('asks no second time how it ended while its history is awaited', async () => {
    const asked: string[] = [];
    const { context, socket, platform } = jobHarness({
      submit: () => TE.right({ promptId: 'p', nodeErrors: {} }),
      jobStatus: () => (
        asked.push('status'),
        TE.right({ promptId: 'p', status: 'in_progress', phase: 'in_progress' })
      ),
      history: () => (asked.push('history'), () => new Promise(() => undefined)),
    });
    const hooks = { orphaned: () => undefined, outcomeUnknown: () => undefined, abandon: () => undefined };
    watch(run(context, hooks, { 9: { class_type: 'SaveImage', inputs: {} } }));
    socket().open();
    await platform.clock.advance(0);
    for (const mark of [p.start, p.success, p.executing(null)]) socket().receive(mark);
    await platform.clock.advance(5_000);
    expect(asked).toEqual(['history']);
  });
});
