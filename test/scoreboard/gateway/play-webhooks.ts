import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { inParallel } from '../../helpers/in-parallel.js';
import type { Random } from '../../simulation/random.js';
import { type ServerProcess, startServer } from '../sizes/processes.js';
import { readStream } from './read-stream.js';
import { type Arrived, openTarget } from './webhook-target.js';

/** What came of {@link playWebhooks}. */
export interface PlayedWebhooks {
  readonly secret: string;
  readonly arrived: readonly Arrived[];
  /** The kinds of message that each job should have sent, in order, by the gateway's own stream of it. */
  readonly expected: ReadonlyMap<string, readonly string[]>;
  /** Redirects that were followed. */
  readonly followed: number;
}

const patienceMs = 60_000;

/** Runs jobs through a gateway whose webhook fails in many ways, and which is killed so many times and started again on its files. */
export const playWebhooks = async (jobs: number, kills: number, random: Random): Promise<PlayedWebhooks> => {
  const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, () => random.between(0, 255))).toString('base64')}`;
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-g8-'));
  await using emulator = await startEmulator({ dialect: 'local', speed: 50 });
  await using target = await openTarget(random);
  let gateway: ServerProcess | undefined;
  const start = async (): Promise<void> => {
    gateway = await startServer(new URL('webhook-program.ts', import.meta.url), [
      ...[emulator.baseUrl, emulator.wsUrl, emulator.apiKey, 'local', folder],
      ...[String(target.port), String(random.between(1, 1e6))],
    ]);
  };
  try {
    await start();
    const put = await request(gateway!, 'PUT', '/webhooks', {
      url: 'https://hooks.example/in',
      secrets: [secret],
    });
    if (put.status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(put.body)}`);
    const submitting = inParallel(
      Array.from({ length: jobs }, (_, nth) => `job ${nth}`),
      4,
      async (key) => {
        for (;;) {
          const { status, body } = await request(gateway!, 'POST', '/api/v2/jobs', workflow, key).catch(
            () => none,
          );
          if (status === 201) return String(body['id']);
          await wait(20);
        }
      },
    );
    const accepted = (): number =>
      new Set(target.arrived.flatMap((one) => (one.isAccepted ? one.id : []))).size;
    for (let kill = 1; kill <= kills; kill += 1) {
      await until(() => accepted() >= (kill * jobs * leastMessages) / (kills + 1));
      await gateway!.kill();
      await start();
    }
    const ids = await submitting;
    const expected = new Map(
      await inParallel(ids, 8, async (id) => [id, await kindsOf(gateway!, id)] as const),
    );
    const all = [...expected.values()].flat().length;
    // What is missing then is found by the judge.
    await until(() => accepted() >= all).catch(() => undefined);
    return { secret, arrived: target.arrived, expected, followed: target.followed() };
  } finally {
    await gateway?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Of a job: its submission, two states, and its end. */
const leastMessages = 4;
const workflow = { workflow: textToImageWorkflow({ steps: 2, width: 64, height: 64 }) };
const none = { status: 0, body: {} as Readonly<Record<string, unknown>> };

const request = async (
  { address }: ServerProcess,
  method: string,
  path: string,
  body: object,
  key?: string,
) => {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key, 'idempotency-replay': 'true' }),
  };
  const response = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
};

/** The kinds of message by the stream of a job, read to its end. */
const kindsOf = async ({ address }: ServerProcess, id: string): Promise<readonly string[]> => {
  const response = await fetch(`${address}/jobs/${id}/events?from=start`);
  const reading = readStream(response.body!, 'sse', patienceMs);
  const kinds: string[] = [];
  for (let event = await reading.next(); typeof event === 'object'; event = await reading.next()) {
    const { phase } = (event.data['status'] ?? {}) as { readonly phase?: string };
    if (event.event === 'status' && terminal.includes(phase ?? '')) kinds.push('job.ended');
    else if (logged.includes(event.event)) kinds.push(`job.${event.event}`);
  }
  return kinds;
};

const terminal = ['completed', 'failed', 'cancelled', 'untraceable', 'unknown'];
const logged = ['submitted', 'status', 'output', 'cancelRequested'];

const until = async (isThere: () => boolean): Promise<void> => {
  const last = performance.now() + patienceMs;
  while (!isThere()) {
    if (performance.now() > last) throw new Error('it did not come to that');
    await wait(10);
  }
};
