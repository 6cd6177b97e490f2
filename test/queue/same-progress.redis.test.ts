import { expect, it, onTestFinished } from 'vitest';
import { type Observable, tap, VirtualTimeScheduler } from 'rxjs';
import { bearerTokens } from '../../src/server/gateway/http/bearer-tokens.js';
import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/server/gateway/create-gateway.js';
import { createJobQueue } from '../../src/server/queue/jobs/create-job-queue.js';
import { createRemote } from '../../src/page/remote/create-remote.js';
import { createWorker } from '../../src/server/queue/worker/create-worker.js';
import { describeRedis } from './describe-redis.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { type Progress, progress } from '../../src/core/operators/progress.js';
import { scriptedService, type ScriptedService } from '../../src/testing.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const workflow: Workflow = {
  1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  2: { class_type: 'EmptyLatentImage', inputs: { width: 1024, height: 1024, batch_size: 1 } },
  3: { class_type: 'KSampler', inputs: { model: ['1', 0], latent_image: ['2', 0], steps: 4, seed: 1 } },
  4: { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['1', 2] } },
  5: { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'made' } },
};

/** One event every three seconds of the service, from the start of the job on. */
const everyMs = 3_000;
const events = [
  { node: '1' },
  { node: '3' },
  ...[1, 2, 3, 4].map((value) => ({ node: '3', value, max: 4 })),
  { node: '4' },
  { node: '5' },
];
const waitsMs = 30_000;
const endsAtMs = events.length * everyMs;
const script = { waitsMs, endsAtMs, steps: events.map((event, nth) => ({ ...event, atMs: nth * everyMs })) };

/** A service that plays the job, and its client. */
const serviceWithClient = () => {
  const service = scriptedService({ jobs: [script] });
  const client = createClient(service);
  onTestFinished(() => client.close());
  return { service, client };
};

/** What is shown of a job that runs on a service, by a clock that the test sets. */
const shownOf = (service: ScriptedService, states: Observable<JobState>) => {
  const clock = new VirtualTimeScheduler();
  const seen: { state?: JobState; shown?: Progress } = {};
  const subscription = states
    .pipe(
      tap((state) => (seen.state = state)),
      progress({ scheduler: clock, periodMs: Infinity }),
    )
    .subscribe((shown) => (seen.shown = shown));
  onTestFinished(() => subscription.unsubscribe());
  const waits = async (): Promise<boolean> => {
    await service.clock.advance(5);
    return seen.state?.phase === 'pending';
  };
  const passTo = async (ms: number): Promise<void> => {
    clock.frame = ms;
    const at = (service.jobs[0]?.acceptedAtMs ?? 0) + waitsMs + ms;
    await service.clock.advance(at - service.clock.now());
  };
  return { seen, waits, passTo };
};

const reached = ({ state }: { readonly state?: JobState }) => ({
  phase: state?.phase,
  nodes: Object.values(state?.nodes ?? {}).map(({ nodeId, phase, value }) => [nodeId, phase, value]),
});

describeRedis(
  (server) => {
    it('progress() shows the same of a job through a client, a gateway and a queue', async () => {
      const [near, behind, queued] = [serviceWithClient(), serviceWithClient(), serviceWithClient()];
      const token = 'a-long-random-token';
      const gateway = createGateway({ client: behind.client, authorize: bearerTokens({ web: token }) });
      const remote = createRemote({
        ...{ url: 'http://gateway.test', token },
        fetch: (input, init) => gateway.fetch(new Request(input, init)),
      });
      onTestFinished(async () => {
        remote.close();
        await gateway.close();
      });
      const common = { connection: `redis://127.0.0.1:${server().port}`, name: 'progress' };
      const queue = createJobQueue(common);
      onTestFinished(() => queue.close());
      const worker = createWorker({ ...common, client: queued.client, tier: 'creator' });
      onTestFinished(() => worker.close());

      const all = [
        shownOf(near.service, near.client.run(workflow)),
        shownOf(behind.service, remote.run(workflow)),
        shownOf(queued.service, queue.follow(await queue.add(workflow))),
      ];
      for (const { waits } of all) await expect.poll(waits, { timeout: 30_000, interval: 10 }).toBe(true);
      const told: Progress[] = [];
      for (let nth = 0; nth <= events.length; nth += 1) {
        for (const { passTo } of all) await passTo(nth * everyMs + everyMs / 2);
        const [own, ...others] = all.map(({ seen }) => seen);
        await expect
          .poll(() => others.map(reached), { timeout: 30_000 })
          .toEqual(others.map(() => reached(own!)));
        const shown = all.map(({ seen }) => seen.shown);
        expect(shown[1]).toEqual(shown[0]);
        expect(shown[2]).toEqual(shown[0]);
        told.push(shown[0]!);
      }
      expect(new Set(told.map(({ stage }) => stage))).toEqual(new Set(['loading', 'running', 'ended']));
      expect(told.some(({ timeLeftMaxMs }) => timeLeftMaxMs !== undefined)).toBe(true);
      expect(told.at(-1)).toMatchObject({ value: 1, timeLeftMs: 0 });
    });
  },
  { isDurable: true },
);
