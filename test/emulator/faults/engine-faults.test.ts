import { call, quick, type Data } from '../support.js';
import { describe, expect, it } from 'vitest';
import { type Emulator, type EngineFault, textToImageWorkflow, virtualClock } from '../../../src/emulator.js';
import { listenLocal, openLocal, post, record } from '../local/support.js';
import { connect } from 'node:net';
import { restarted } from '../../helpers/restarted-engine.js';
import { once } from 'node:events';

const engine = (fault: object): EngineFault => ({ on: 'engine', ...fault }) as EngineFault;

const long = (seed: number): Data => ({ ...textToImageWorkflow({ steps: 20, width: 64, height: 64, seed }) });

/** Asks until it answers, or until it refuses: a kept connection may still break first. */
const until = async (emulator: Emulator, expected: 200 | 'ECONNREFUSED'): Promise<void> => {
  for (let answer: unknown; answer !== expected;)
    answer = await call(emulator, 'GET', '/queue').then(
      ({ status }) => status,
      (error: unknown) => ((error as Error).cause as { readonly code?: string }).code,
    );
};

const statesOf = ({ ledger }: Emulator): readonly string[] => ledger.jobs.map(({ state }) => state);

describe('a local server that is killed', () => {
  it('breaks its sockets, refuses connections, and is back at its address without its jobs', async () => {
    const clock = virtualClock();
    const faults = [engine({ do: 'kill', atMs: 500, forMs: 60_000 })];
    const emulator = await openLocal({ clock, speed: 1, faults });
    const { socket } = await listenLocal(emulator, 'watcher');
    const closed = once(socket, 'close');
    const [first, second] = [await post(emulator, long(1)), await post(emulator, long(2))];
    await clock.advance(500);
    expect((await closed)[0]).toBe(1006);
    await until(emulator, 'ECONNREFUSED');
    await clock.advance(59_000);
    await until(emulator, 'ECONNREFUSED');
    await clock.advance(1_000);
    await until(emulator, 200);
    expect((await call(emulator, 'GET', '/queue')).body).toEqual({ queue_running: [], queue_pending: [] });
    for (const { body } of [first, second])
      expect(await record(emulator, String(body['prompt_id']))).toBeUndefined();
    expect((await post(emulator, quick)).body).toMatchObject({ number: 0 });
    await clock.advance(60_000);
    expect(statesOf(emulator)).toEqual(['lost', 'lost', 'completed']);
    expect(emulator.ledger.faults.map(({ struck }) => struck)).toEqual(['500 ms']);
  });

  it('keeps its files, and loads its models anew', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({ clock, speed: Infinity });
    const form = new FormData();
    form.set('image', new File(['kept'], 'kept.txt'));
    await call(emulator, 'POST', '/upload/image', form);
    await post(emulator, long(1));
    await clock.advance(1_000);
    emulator.setFaults([engine({ do: 'kill', atMs: 0, forMs: 0 })]);
    await clock.advance(1);
    await until(emulator, 200);
    await post(emulator, long(2));
    await clock.advance(1_000);
    expect((await call(emulator, 'GET', '/view?filename=kept.txt&type=input')).status).toBe(200);
    expect(emulator.ledger.loads).toHaveLength(2);
    expect(statesOf(emulator)).toEqual(['completed', 'completed']);
  });

  it('keeps no temporary file, and none at all where it has no disk of its own', async () => {
    const emulator = await openLocal({ speed: Infinity });
    const upload = async (type: string): Promise<void> => {
      const form = new FormData();
      form.set('image', new File(['kept'], 'kept.txt'));
      form.set('type', type);
      await call(emulator, 'POST', '/upload/image', form);
    };
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(
        ['/view?filename=kept.txt&type=input', '/view?filename=kept.txt&type=temp', '/userdata/a.json'].map(
          async (path) => (await call(emulator, 'GET', path)).status,
        ),
      );
    await upload('input');
    await upload('temp');
    await call(emulator, 'POST', '/userdata/a.json', { a: 1 });
    expect(await statuses()).toEqual([200, 200, 200]);
    await restarted(emulator, 'files');
    expect(await statuses()).toEqual([200, 404, 200]);
    await restarted(emulator, 'nothing');
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('begins its queue anew where it keeps that, with its history', async () => {
    const clock = virtualClock();
    const faults = [engine({ do: 'kill', nth: 2, forMs: 5_000, keeps: 'queue' })];
    const emulator = await openLocal({ clock, speed: 1, faults });
    const ids = [];
    for (const seed of [1, 2, 3]) ids.push(String((await post(emulator, long(seed))).body['prompt_id']));
    await clock.advance(4_000);
    expect(statesOf(emulator)).toEqual(['completed', 'lost', 'lost']);
    await clock.advance(20_000);
    await until(emulator, 200);
    expect(statesOf(emulator)).toEqual(['completed', 'completed', 'completed']);
    for (const id of ids) expect(await record(emulator, id)).toMatchObject({ status: { completed: true } });
    expect(emulator.ledger.faults.map(({ struck }) => struck)).toEqual(['begin of job 2']);
  });

  it('stays away without forMs, and is closed all the same', async () => {
    const emulator = await openLocal({ faults: [engine({ do: 'kill' })] });
    const { socket } = await listenLocal(emulator, 'watcher');
    const closed = once(socket, 'close');
    await post(emulator, long(1)).catch(() => undefined);
    await closed;
    await until(emulator, 'ECONNREFUSED');
    await emulator.close();
    expect(statesOf(emulator)).toEqual(['lost']);
  });
});

describe('a local server that freezes', () => {
  it('answers nothing and does nothing, and handles what came meanwhile', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({
      clock,
      speed: 1,
      faults: [engine({ do: 'freeze', atMs: 500, forMs: 60_000 })],
    });
    const listener = await listenLocal(emulator, 'watcher');
    await post(emulator, long(1), 'watcher');
    await clock.advance(500);
    const answered: string[] = [];
    const asked = call(emulator, 'GET', '/queue').then(({ body }) =>
      answered.push(Object.keys(body).join(' ')),
    );
    const submitted = post(emulator, long(2), 'watcher');
    await clock.advance(59_000);
    expect([answered, statesOf(emulator)]).toEqual([[], ['in_progress']]);
    await clock.advance(1_000);
    await Promise.all([asked, submitted]);
    await clock.advance(20_000);
    expect(statesOf(emulator)).toEqual(['completed', 'completed']);
    await listener.until('execution_success');
  });

  it('takes a submission whose client has left meanwhile', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({
      clock,
      speed: 1,
      faults: [engine({ do: 'freeze', atMs: 0, forMs: 1_000 })],
    });
    await clock.advance(1);
    const body = JSON.stringify({ prompt: quick, prompt_id: 'left' });
    const client = connect(Number(new URL(emulator.baseUrl).port), '127.0.0.1');
    client.end(`POST /prompt HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await once(client, 'finish');
    expect(emulator.ledger.jobs).toEqual([]);
    await clock.advance(1_000);
    while (emulator.ledger.jobs.length === 0) await until(emulator, 200);
    expect(emulator.ledger.jobs.map(({ promptId }) => promptId)).toEqual(['left']);
  });

  it('may be killed then', async () => {
    const clock = virtualClock();
    const faults = [engine({ do: 'freeze', atMs: 100 }), engine({ do: 'kill', atMs: 200, forMs: 100 })];
    const emulator = await openLocal({ clock, speed: 1, faults });
    await post(emulator, long(1));
    await clock.advance(300);
    await until(emulator, 200);
    await post(emulator, quick);
    await clock.advance(10_000);
    expect(statesOf(emulator)).toEqual(['lost', 'completed']);
  });

  it('is not struck in a service of another dialect', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({ dialect: 'cloud', clock, faults: [engine({ do: 'kill', atMs: 0 })] });
    await clock.advance(1_000);
    expect((await call(emulator, 'GET', '/api/queue')).status).toBe(200);
    expect(emulator.ledger.faults).toEqual([]);
  });
});
