import { filter, firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import type { Client } from '../../src/client/client-types.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { emulated, hurried, picture, reaches, refusal, slow, submit } from '../helpers/emulated.js';
import { phasesOf } from '../helpers/phases-of.js';

const isSubmission = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && new URL(url).pathname === '/api/prompt';

const hears = (client: Client, type: string): Promise<Frame> =>
  firstValueFrom(client.frames.pipe(filter((frame) => frame._tag === 'Event' && frame.type === type)));

describe.each(['interface', '2026'] as const)('a job of the %s profile', (profile) => {
  it('F4: waits for outputs that trail its end', async () => {
    const { newClient } = await emulated({ profile, switches: { historyLagMs: 150 } });
    const state = await lastValueFrom(newClient({}, hurried).run(picture()));
    expect(state).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(outputFiles(state.outputs)).toHaveLength(2);
  });

  it('A3: finishes by polling where no socket is to be had from the start', async () => {
    const { emulator, newClient, submissions } = await emulated({ profile });
    emulator.refuseSockets(503);
    const client = newClient({}, hurried);
    const states = await lastValueFrom(client.run(picture()).pipe(toArray()));
    expect(phasesOf(states).at(-1)).toBe('completed');
    expect(states.at(-1)).toMatchObject({ outputsComplete: true });
    expect(outputFiles(states.at(-1)!.outputs)).toHaveLength(2);
    expect(emulator.openSockets).toBe(0);
    expect(submissions()).toHaveLength(1);
  });

  it('A1: finishes by polling where the key is refused for the socket alone', async () => {
    const { emulator, newClient } = await emulated({ profile });
    emulator.refuseSockets(401);
    const client = newClient({}, hurried);
    expect(await lastValueFrom(client.run(picture()))).toMatchObject({ phase: 'completed' });
    // REST takes the key, so the refusal may be a proxy's: the socket is tried again, ever more slowly.
    const states = ['waiting', 'connecting', 'suspended'];
    expect(states).toContain((await firstValueFrom(client.connection))._tag);
  });

  it('A9: survives cuts of its socket in mid-run', async () => {
    const { emulator, newClient } = await emulated({ profile, speed: 5 });
    const client = newClient({}, hurried);
    const job = await submit(client, picture(12));
    const connection: string[] = [];
    client.connection.subscribe(({ _tag }) => connection.push(_tag));
    const cuts = job.frames
      .pipe(
        filter((frame) => frame._tag === 'Event' && frame.type === 'progress'),
        take(2),
      )
      .forEach(() => emulator.cutSockets());
    const end = await lastValueFrom(job.states);
    await cuts;
    expect(end).toMatchObject({ phase: 'completed', progress: 1, outputsComplete: true });
    expect(connection).toEqual(expect.arrayContaining(['open', 'waiting', 'connecting']));
  });

  it('C3: whose end falls into a gap of the socket is asked for after it', async () => {
    const { emulator, client, newClient } = await emulated({ profile, speed: 20 });
    const watcher = newClient({}, hurried);
    const job = await submit(watcher, slow());
    await reaches(job, 'in_progress');
    emulator.refuseSockets(503);
    emulator.cutSockets();
    await toPromise(client.cancel(job.promptId));
    expect(await lastValueFrom(client.follow(job.promptId))).toMatchObject({ phase: 'cancelled' });
    emulator.refuseSockets(undefined);
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'cancelled' });
  });

  it('C1: is complete where all its events came before the answer of its submission', async () => {
    const { newClient } = await emulated({ profile });
    const client: Client = newClient({}, ({ request }) => ({
      request: async (sent) => {
        if (!isSubmission(sent)) return request(sent);
        const ended = hears(client, 'execution_success');
        const answer = await request(sent);
        await ended;
        return answer;
      },
    }));
    const job = await submit(client, picture());
    const frames = await lastValueFrom(job.frames.pipe(toArray()));
    expect(frames[0]).toMatchObject({ type: 'execution_start', promptId: job.promptId });
    expect(frames.some(({ _tag }) => _tag === 'Preview')).toBe(true);
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'completed', nodes: { 3: { value: 3 } } });
  });

  it('E1: is submitted once where the answer is cut off after it was accepted', async () => {
    const { emulator, client, submissions } = await emulated({ profile, speed: 20 });
    emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    const error = await refusal(client.submit(slow()));
    expect(error).toMatchObject({ _tag: 'OutcomeUnknown', retry: 'unknown outcome' });
    const { running, pending } = await toPromise(client.rest.queue());
    expect([...running, ...pending]).toHaveLength(1);
    expect(submissions()).toHaveLength(1);
  });

  it('is a candidate where its answer was lost after it had begun', async () => {
    const { newClient, submissions } = await emulated({ profile });
    const client: Client = newClient({}, ({ request }) => ({
      request: async (sent) => {
        if (!isSubmission(sent)) return request(sent);
        const begun = hears(client, 'execution_start');
        (await request(sent)).discard();
        await begun;
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- a platform rejects with plain objects
        throw { code: 'ECONNRESET', message: 'reset', sent: true };
      },
    }));
    const begun = hears(client, 'execution_start');
    const error = await refusal(client.submit(picture()));
    const { promptId } = await begun;
    expect(error).toMatchObject({ _tag: 'OutcomeUnknown', candidates: [promptId] });
    expect(submissions()).toHaveLength(1);
    expect(await lastValueFrom(client.follow(promptId!))).toMatchObject({ phase: 'completed' });
  });

  it('D1, D5: is not disturbed by anything that the socket may say besides', async () => {
    const { emulator, client } = await emulated({ profile, speed: 20 });
    const seen: Frame[] = [];
    const watching = client.frames.subscribe((frame) => void seen.push(frame));
    const job = await submit(client, picture(6));
    const injected = garbage(job.promptId);
    await hears(client, 'executing');
    for (const message of injected) emulator.inject(message);
    const state = await lastValueFrom(job.states);
    watching.unsubscribe();
    expect(state).toMatchObject({ phase: 'completed', progress: 1, outputsComplete: true });
    expect(Object.keys(state.outputs).toSorted()).toEqual(['10', '9']);
    for (const { fraction, value, max } of Object.values(state.nodes))
      expect([fraction, value, max].every(Number.isFinite)).toBe(true);
    const readable = seen.filter(({ _tag }) => _tag === 'Malformed' || _tag === 'Unknown').length;
    expect(readable).toBeGreaterThan(15);
    expect({}).not.toHaveProperty('polluted');
  });
});

/** Nothing of this says a true word about the job. */
const garbage = (promptId: string): readonly (string | Uint8Array)[] => [
  ...Array.from({ length: 17 }, (_, length) => new Uint8Array(length)),
  ...Array.from({ length: 17 }, (_, length) => new Uint8Array(length).fill(255)),
  ...[0, 1, 2, 3, 4, 5, 99].map((type) => Uint8Array.of(0, 0, 0, type, 0, 0, 0, 200, 1, 2)),
  Buffer.from(JSON.stringify({ type: 'execution_success', data: { prompt_id: promptId } })),
  '',
  'null',
  '[]',
  '{',
  '"execution_success"',
  '{"type":null}',
  '{"type":"progress"}',
  '{"type":"progress","data":[]}',
  `{"type":"progress","data":{"prompt_id":"${promptId}","node":"3","value":NaN,"max":NaN}}`,
  `{"type":"progress","data":{"prompt_id":"${promptId}","node":"3","value":"NaN","max":-1}}`,
  `{"type":"progress","data":{"prompt_id":"${promptId}","node":"3","value":1e999,"max":1e999}}`,
  `{"type":"executing","data":{"prompt_id":"${promptId}","node":"__proto__","display_node":"__proto__"}}`,
  `{"type":"progress_state","data":{"prompt_id":"${promptId}","nodes":{"__proto__":{"polluted":1},"3":null}}}`,
  `{"type":"executed","data":{"prompt_id":"${promptId}","node":"9","output":7}}`,
  `{"type":"execution_error","data":{"prompt_id":"another","exception_type":"OOMError"}}`,
  '{"type":"execution_interrupted","data":{}}',
  `{"type":"brand_new","data":{"prompt_id":"${promptId}"}}`,
  '\u0000\ud800',
  'x'.repeat(100_000),
];
