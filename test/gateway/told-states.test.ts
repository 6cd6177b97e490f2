import { clientOf, playedService } from './support.js';
import { createGateway } from '../../src/gateway.js';
import { createRemote } from '../../src/remote.js';
import { expect, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { firstValueFrom, takeWhile, toArray } from 'rxjs';
import { isTerminal } from '../../src/node.js';

const workflow = { 1: { class_type: 'A', inputs: {} } };
const known = { ...initialJobState({ promptId: 'p1', workflow }), queuedAt: 1_000 };
const node = {
  ...{ nodeId: '1', displayNodeId: '1', phase: 'running' as const },
  ...{ value: 0, max: 0, fraction: 0, activity: 'loading' },
};
const metadata = { kind: 'video', width: 640, height: 480, duration: 2.5, fps: 24, frame_count: 60 };
const moves: readonly JobState[] = [
  { ...known, queue: { position: 3, reason: 'concurrency_limit' } },
  { ...known, queue: { reason: 'capacity' } },
  { ...known, phase: 'in_progress', startedAt: 2_000, nodes: { 1: node } },
  {
    ...{ ...known, phase: 'completed', startedAt: 2_000, endedAt: 3_000, outputsComplete: true },
    outputs: { 1: { images: [{ filename: 'a.mp4', subfolder: '', type: 'output', metadata }] } },
    unread: [{ nodeId: '1', key: 'images', reason: 'no file name', sample: '{}' }],
  },
];

it('O6: a page gets place, reason, times, activity, metadata and what could not be read as the client has them', async () => {
  const service = playedService();
  await using gateway = createGateway({ client: clientOf(service), authorize: () => ({ name: 'ann' }) });
  const remote = createRemote({
    url: 'http://gateway.test',
    fetch: (url, init) => gateway.fetch(new Request(url, init)),
  });
  const seen: JobState[] = [];
  const all = firstValueFrom(
    remote.run(workflow).pipe(
      takeWhile((state) => {
        seen.push(state);
        return !isTerminal(state.phase);
      }, true),
      toArray(),
    ),
  );
  await expect.poll(() => service.jobs.length).toBe(1);
  for (const [at, state] of moves.entries()) {
    service.jobs[0]!.move(state);
    const isThere = ({ phase, queue }: JobState): boolean =>
      phase === state.phase && queue?.reason === state.queue?.reason;
    await expect.poll(() => seen.some(isThere), { message: `state ${at}` }).toBe(true);
  }
  const states = await all;
  expect(states.flatMap(({ queue }) => (queue === undefined ? [] : [queue]))).toEqual([
    { position: 3, reason: 'concurrency_limit' },
    { reason: 'capacity' },
  ]);
  expect(states.find(({ nodes }) => nodes['1']?.activity === 'loading')).toMatchObject({
    phase: 'in_progress',
    queuedAt: 1_000,
    startedAt: 2_000,
  });
  expect(states.at(-1)).toMatchObject({
    ...{ queuedAt: 1_000, startedAt: 2_000, endedAt: 3_000 },
    outputs: { 1: { images: [{ metadata }] } },
    unread: moves.at(-1)?.unread,
  });
  remote.close();
});
