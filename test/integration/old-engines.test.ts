import { filter, firstValueFrom, lastValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/gateway.js';
import { type Emulator, startEmulator } from '../../src/emulator.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import { writeExactJson } from '../../src/core/protocol/json/exact-json.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { emulated, hurried, hurriedBy, picture, reaches, slow, submit } from '../helpers/emulated.js';

/** An engine that interrupts whatever runs, and a client of it. */
const oldEngine = async () => {
  const emulator = await startEmulator({ dialect: 'local', engine: '0.3.40', speed: 20 });
  onTestFinished(() => emulator.close());
  const client = createClient(emulator);
  onTestFinished(() => client.close());
  return { emulator, client };
};

/** Submits a job without the client, and waits until it runs. */
const stranger = async (emulator: Emulator): Promise<string> => {
  const answer = await fetch(`${emulator.baseUrl}/prompt`, {
    method: 'POST',
    body: JSON.stringify({ prompt: slow(), client_id: 'stranger' }),
  });
  const { prompt_id: promptId } = (await answer.json()) as { prompt_id: string };
  const isRunning = async (): Promise<boolean> => {
    const queue = await (await fetch(`${emulator.baseUrl}/queue`)).text();
    return queue.indexOf(promptId) < queue.indexOf('queue_pending');
  };
  while (!(await isRunning()));
  return promptId;
};

const interrupts = (emulator: Emulator): number =>
  emulator.requests.filter(({ url }) => url === '/api/interrupt').length;

const stateOf = (emulator: Emulator, promptId: string): string | undefined =>
  emulator.ledger.jobs.find((job) => job.promptId === promptId)?.state;

/** The stranger's job runs, nothing was interrupted, and the cancelled one never ran. */
const expectSpared = (emulator: Emulator, running: string, waiting: string): void => {
  expect(interrupts(emulator)).toBe(0);
  expect([stateOf(emulator, running), stateOf(emulator, waiting)]).toEqual(['in_progress', 'deleted']);
};

describe('cancelling on an engine that ignores the id of an interrupt', () => {
  it('M1: takes a waiting job out of the queue, and spares the job of a stranger', async () => {
    const { emulator, client } = await oldEngine();
    const running = await stranger(emulator);
    const mine = await submit(client, slow(5));
    await toPromise(client.cancel(mine.promptId));
    expect(await lastValueFrom(mine.states)).toMatchObject({ phase: 'cancelled' });
    expectSpared(emulator, running, mine.promptId);
  });

  it('M1: interrupts its own job while the queue shows it as running, once', async () => {
    const { emulator, client } = await oldEngine();
    const mine = await submit(client, slow());
    await reaches(mine, 'in_progress');
    await toPromise(mine.cancel());
    expect(await lastValueFrom(mine.states)).toMatchObject({ phase: 'cancelled' });
    expect(interrupts(emulator)).toBe(1);
  });

  it('M1: job.cancel() of an ended job touches no other', async () => {
    const { emulator, client } = await oldEngine();
    const mine = await submit(client, slow(1));
    await lastValueFrom(mine.states);
    const running = await stranger(emulator);
    await toPromise(mine.cancel());
    expect(interrupts(emulator)).toBe(0);
    expect(stateOf(emulator, running)).toBe('in_progress');
  });

  it("M1: so does unsubscribing with onUnsubscribe: 'cancel'", async () => {
    const { emulator, client } = await oldEngine();
    const running = await stranger(emulator);
    const { promptId } = await firstValueFrom(
      client.run(slow(5), { onUnsubscribe: 'cancel' }).pipe(filter(({ phase }) => phase === 'pending')),
    );
    await client.drain();
    expectSpared(emulator, running, promptId);
  });

  it('M1: so does the cancellation of a job of a gateway', async () => {
    const { emulator, client } = await oldEngine();
    const gateway = createGateway({ client, authorize: () => ({ name: 'ann' }) });
    onTestFinished(() => gateway.close());
    const running = await stranger(emulator);
    const ask = async (path: string, body?: unknown) => {
      const answer = await gateway.fetch(
        new Request(`http://gateway.test${path}`, {
          method: 'POST',
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      expect(answer.status).toBeLessThan(300);
      return (await answer.json()) as { id: string };
    };
    const { id } = await ask('/api/v2/jobs', { workflow: slow(5) });
    await ask(`/jobs/${id}/cancel`);
    const waiting = emulator.ledger.jobs.find(({ promptId }) => promptId !== running)?.promptId ?? '';
    expectSpared(emulator, running, waiting);
  });
});

describe('a run that came to a cycle, which its record calls a success', () => {
  const cycle = { 1: { class_type: 'CycleOnPurpose', inputs: {} } };
  const failed = { phase: 'failed', failure: { exceptionType: 'graph.DependencyCycleError', nodeId: '1' } };

  it('M4: is failed, for the program that submitted it and for one that finds its record', async () => {
    const { client } = await oldEngine();
    const job = await submit(client, cycle);
    expect(await lastValueFrom(job.states)).toMatchObject(failed);
    expect(await lastValueFrom(client.follow(job.promptId))).toMatchObject(failed);
    expect(await toPromise(client.rest.jobStatus(job.promptId))).toMatchObject({ phase: 'failed' });
  });
});

describe.each(['0.3.40', '0.3.64'] as const)('a submission to engine %s whose answer is lost', (engine) => {
  /** A local server of this release, and a client of it for which time passes ten times faster. */
  const playing = async () => {
    const { emulator, newClient } = await emulated({ dialect: 'local', engine });
    return { emulator, client: newClient({ dialect: 'local' }, hurried) };
  };

  it.each([
    ['cut', { status: 200, cut: true }],
    ['answered with 502', { status: 502, body: 'Bad Gateway' }],
    ['answered with 524', { status: 524, body: 'A timeout occurred' }],
  ])('M2: goes on with the job that it became, also as the first of its client: %s', async (_, answer) => {
    const { emulator, client } = await playing();
    emulator.answerOnce('POST', '/api/prompt', { ...answer, afterCommit: true });
    const first = await submit(client, picture());
    expect(await lastValueFrom(first.states)).toMatchObject({ phase: 'completed', outputsComplete: true });
    await lastValueFrom((await submit(client, picture())).states);
    emulator.answerOnce('POST', '/api/prompt', { ...answer, afterCommit: true });
    const third = await submit(client, picture());
    expect(await lastValueFrom(third.states)).toMatchObject({ phase: 'completed' });
    const ids = emulator.ledger.jobs.map(({ promptId }) => promptId);
    expect([ids[0], ids[2], ids.length]).toEqual([first.promptId, third.promptId, 3]);
  });

  it('M2: goes on with the job whose answer comes after the limit of its call, and submits it once', async () => {
    const late = { on: 'rest', route: 'POST /prompt', do: 'delay', ms: 60_000, phase: 'after' } as const;
    const { emulator, newClient } = await emulated({ dialect: 'local', engine, faults: [late] });
    const job = await submit(newClient({ dialect: 'local' }, hurriedBy(60)), picture());
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(emulator.ledger.jobs.map(({ promptId }) => promptId)).toEqual([job.promptId]);
    expect(emulator.ledger.faults).toHaveLength(1);
  });

  it('M2: takes no job of another program with the same workflow, and names none that can not exist', async () => {
    const { emulator, client } = await playing();
    const workflow = picture();
    await fetch(`${emulator.baseUrl}/prompt`, {
      method: 'POST',
      body: JSON.stringify({ prompt: workflow, client_id: 'stranger' }),
    });
    emulator.answerOnce('POST', '/api/prompt', { status: 502 });
    expect(await client.submit(workflow)()).toMatchObject({
      left: { _tag: 'OutcomeUnknown', candidates: [] },
    });
  });

  it('N7: takes no job of another seed beyond 2^53, which a number can not tell from its own', async () => {
    const { emulator, client } = await playing();
    const clientId = new Promise<string>((resolve) => {
      client.connection.subscribe((state) => {
        if (state._tag === 'open') resolve(state.clientId);
      });
    });
    await lastValueFrom((await submit(client, picture())).states);
    const [own, other] = [1n, 3n].map((n) => withSeed(picture(), 2n ** 62n + n));
    const body = writeExactJson({ prompt: other, client_id: await clientId });
    const answer = await fetch(`${emulator.baseUrl}/prompt`, { method: 'POST', body });
    const { prompt_id: id } = (await answer.json()) as { readonly prompt_id: string };
    await lastValueFrom(client.follow(id));
    emulator.answerOnce('POST', '/api/prompt', { status: 502 });
    const lost = await client.submit(own ?? {})();
    expect(lost).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
    expect(lost).not.toMatchObject({ left: { candidates: expect.arrayContaining([id]) as unknown } });
    // What was sent is found all the same.
    emulator.answerOnce('POST', '/api/prompt', { status: 502, afterCommit: true });
    expect((await submit(client, own ?? {})).promptId).toBe(emulator.ledger.jobs.at(-1)?.promptId);
  });

  it('M2: of two with the same workflow names both, where their ids do not tell', async () => {
    const { emulator, client } = await playing();
    const workflow = picture();
    const lost = { status: 502, afterCommit: true };
    emulator.answerOnce('POST', '/api/prompt', lost);
    emulator.answerOnce('POST', '/api/prompt', lost);
    const answers = await Promise.all([client.submit(workflow)(), client.submit(workflow)()]);
    const ids = emulator.ledger.jobs.map(({ promptId }) => promptId).toSorted();
    const found = answers.map((answer) =>
      answer._tag === 'Right'
        ? answer.right.promptId
        : answer.left._tag === 'OutcomeUnknown' && answer.left.candidates.toSorted(),
    );
    if (engine === '0.3.64') expect(found.toSorted()).toEqual(ids);
    else expect(found).toEqual([ids, ids]);
  });

  it('M2: tells by submissionIds what an accepted answer has shown', async () => {
    const { client } = await playing();
    expect(client.submissionIds).toBe('unproven');
    await submit(client, picture());
    expect(client.submissionIds).toBe(engine === '0.3.40' ? 'unproven' : 'jobs');
  });
});

/** The workflow with this seed. */
const withSeed = (workflow: Workflow, seed: bigint): Workflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, { inputs, ...node }]) => [
      id,
      { ...node, inputs: 'seed' in inputs ? { ...inputs, seed } : inputs },
    ]),
  );
