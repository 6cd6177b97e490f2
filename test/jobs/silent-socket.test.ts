import { describe, expect, it } from 'vitest';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const outputs = { 9: { images: [imageOf('a.png')] } };

/** Jobs over a socket that stays open; REST tells of each what the test says, and `p` is followed from the start. */
const following = ({
  wasSeen = true,
  boundTo,
  phase = 'in_progress',
}: { wasSeen?: boolean; boundTo?: string; phase?: JobStatus['phase'] } = {}) => {
  const phases: Record<string, JobStatus['phase']> = { other: 'pending', p: phase };
  const harness = jobHarness({
    jobStatus: (promptId) => {
      const told = phases[promptId] ?? 'pending';
      return TE.right({ promptId, status: told, phase: told });
    },
    history: (promptId) => TE.right({ promptId, outputs, phase: 'completed', isFinal: true, record: {} }),
  });
  const { tracker } = harness.context;
  const follow = (promptId: string, known = true) =>
    watch(
      tracker.track({ initial: initialJobState({ promptId, phase: 'pending' }), wasSeen: known, boundTo }),
    );
  const sockets = () => harness.platform.sockets.length;
  /** Time in which the socket answers each ping, and brings nothing else. */
  const silence = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      await harness.platform.clock.advance(Math.min(500, left));
      if (harness.socket().closedBy() === undefined) harness.socket().pong();
    }
  };
  /** Somebody is always followed, and asked for while nothing comes. */
  follow('other');
  // No socket opens when a millisecond begins.
  harness.platform.clock.block(0.25);
  harness.socket().open();
  const p = follow('p', wasSeen);
  return { ...harness, phases, follow, p, sockets, silence };
};

describe('jobTracker over a socket that is silent', () => {
  it('B2: recycles it once, after REST reported an end that it did not bring', async () => {
    const { phases, silence, sockets, socket } = following();
    socket().receive(messages('p').start);
    phases['p'] = 'completed';
    await silence(39_000);
    expect(sockets()).toBe(1);
    await silence(2_500);
    expect(sockets()).toBe(2);
    expect(socket().closedBy()).toBeUndefined();
    socket().open();
    phases['other'] = 'completed';
    await silence(600_000);
    expect(sockets()).toBe(2);
  });

  it('B2: recycles it after REST reported a beginning that it did not bring', async () => {
    const { silence, sockets } = following();
    await silence(42_000);
    expect(sockets()).toBe(2);
  });

  it.each([
    ['as cancelled, which no socket tells of a job that waited', 'cancelled', {}],
    ['of a job whose past is unknown', 'completed', { wasSeen: false }],
    ['of a job whose events go to another socket', 'completed', { boundTo: 'another' }],
  ] as const)('B2: leaves it alone where REST tells an end %s', async (_, phase, options) => {
    const { silence, sockets } = following({ ...options, phase });
    await silence(600_000);
    expect(sockets()).toBe(1);
  });

  it('B2: leaves it alone where it brings what others do, or the end itself a little later', async () => {
    const { phases, silence, sockets, socket } = following();
    socket().receive(messages('p').start);
    phases['p'] = 'completed';
    await silence(32_000);
    socket().receive(messages('p').success);
    await silence(600_000);
    expect(sockets()).toBe(1);
  });

  it('B2: leaves it alone where it brought a frame of the job in the millisecond in which it opened', async () => {
    const { silence, sockets, socket } = following();
    socket().receive(messages('p').executing(null));
    await silence(600_000);
    expect(sockets()).toBe(1);
  });

  it('B2: recycles it under the next job where the one that it failed was the last', async () => {
    const { phases, silence, sockets, socket, follow } = following();
    phases['p'] = 'completed';
    phases['other'] = 'completed';
    socket().receive(messages('p').start);
    await silence(31_500);
    follow('next');
    await silence(8_000);
    expect(sockets()).toBe(1);
    await silence(1_500);
    expect(sockets()).toBe(2);
  });
});
