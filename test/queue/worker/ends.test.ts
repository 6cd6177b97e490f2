import { expect, it, onTestFinished } from 'vitest';
import { heldWorld, refusal } from './held-world.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';

/** What is published of the ends of jobs from now on. */
const published = (): string[] => {
  const ends: string[] = [];
  onTestFinished(
    listenTo('promptwire:queue:end', ({ jobId, phase, promptId = '-', reason = '-' }) => {
      ends.push([jobId, phase, promptId, reason].join(' '));
    }),
  );
  return ends;
};

it.each(['completed', 'failed', 'cancelled', 'untraceable'] as const)(
  'R3: tells the end of a job that ran by its phase: %s',
  async (phase) => {
    const ends = published();
    const { states, state, run, settled } = heldWorld();
    const running = run();
    await settled();
    states.next(state(phase));
    await running;
    expect(ends).toEqual([`x ${phase} p -`]);
  },
);

it('R3: tells the end of a job that never reached the service', async () => {
  const ends = published();
  await heldWorld({ hasWorkflow: false }).run();
  await heldWorld({ record: { cancelRequestedAt: 1 }, later: [{ cancelRequestedAt: 1 }] }).run();
  await heldWorld({ answers: [refusal('BadRequest')] }).run();
  expect(ends).toMatchObject([
    'x failed - The workflow is gone.',
    'x cancelled - -',
    expect.stringMatching(/^x failed - /u),
  ]);
});

it('R3: tells no end where another worker has the job', async () => {
  const ends = published();
  await heldWorld({ hasWorkflow: false, mayLeave: () => false }).run();
  expect(ends).toEqual([]);
});
