import { describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { isServiceError } from '../../src/core/errors/service-error.js';
import { life, workflow } from '../gateway/support.js';
import type { Remote } from '../../src/page/remote/remote.js';
import type { TemplateResult } from '../../src/server/gateway/templates.js';

const lost = () => {
  throw new TypeError('fetch failed');
};

/** The error of a promise, as its tag and members. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isServiceError(error) ? Object.fromEntries(Object.entries(error)) : error),
  );

describe('run', () => {
  it('submits once on each subscription, and tells the states from the submission to the end', async () => {
    const { remote, service, clock } = await aRemote();
    const seen = lastValueFrom(remote.run(workflow, { metadata: { for: 'a test' } }).pipe(toArray()));
    await clock.advance(1_000);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    const states = await clock.until(seen);
    expect(states.slice(0, 2).map(({ phase }) => phase)).toEqual(['submitting', 'pending']);
    expect(states[0]).toEqual({
      ...{ promptId: '', phase: 'submitting', nodes: {}, progress: 0, outputs: {}, outputsComplete: false },
      ...{ nodeErrors: {}, warnings: [] },
    });
    expect(states.at(-1)).toMatchObject({ phase: 'completed', progress: 1 });
    expect(service.submitted).toHaveLength(1);
    expect((await remote.list({ metadata: { for: 'a test' } })).jobs).toHaveLength(1);
    expect((await remote.list({ metadata: { for: 'another' } })).jobs).toHaveLength(0);
  });

  it.each([
    [
      'run',
      (remote: Remote, seed: number) => remote.run({ 1: { class_type: 'Seed', inputs: { seed } } }),
      '1',
    ],
    ['runTemplate', (remote: Remote, seed: number) => remote.runTemplate('seeded', { seed }), undefined],
  ] as const)(
    'N5 %s tells of an integer that may have been rounded, in every state',
    async (_, run, nodeId) => {
      const seeded = (): TemplateResult => ({ _tag: 'Right', right: workflow });
      const templates = { seeded: Object.assign(seeded, { jsonSchema: {} }) };
      const { remote, service, clock } = await aRemote({ templates });
      const told = async (seed: number) => {
        const seen = lastValueFrom(run(remote, seed).pipe(toArray()));
        await clock.advance(1_000);
        const { promptId = '' } = service.jobs.at(-1) ?? {};
        for (const state of life(promptId)) service.jobs.at(-1)?.move(state);
        return (await clock.until(seen)).map(({ problems }) => problems);
      };
      for (const problems of await told(2 ** 64)) {
        expect(problems).toMatchObject([{ type: 'rounded_integer', input: 'seed' }]);
        expect(problems?.[0]?.nodeId).toBe(nodeId);
      }
      for (const problems of await told(2 ** 52)) expect(problems).toBeUndefined();
    },
  );

  it('finds the job of an answer that was lost by its key, and submits nothing again', async () => {
    let losses = 3;
    const { remote, service, clock, asked } = await aRemote({
      after: ({ method }) => {
        if (method === 'POST' && (losses -= 1) >= 0) lost();
      },
    });
    const second = firstValueFrom(remote.run(workflow).pipe(toArray()));
    await clock.advance(60_000);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    expect((await clock.until(second)).at(-1)?.phase).toBe('completed');
    expect(service.submitted).toHaveLength(1);
    const posts = asked.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(4);
    expect(posts[0]?.headers.get('content-type')).toBe('application/json');
    expect(new Set(posts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('says that the outcome is unknown where no answer comes at all', async () => {
    const { remote, clock, asked } = await aRemote({
      before: ({ method }) => (method === 'POST' ? lost() : undefined),
    });
    const error = errorOf(lastValueFrom(remote.run(workflow)));
    expect(await clock.until(error)).toMatchObject({ _tag: 'OutcomeUnknown', candidates: [] });
    expect(asked).toHaveLength(6);
  });

  it.each<readonly [string, () => Response]>([
    ['got no answer', lost],
    ['failed at the gateway', () => new Response(null, { status: 500 })],
    ['got no answer of a gateway', () => new Response('<html>')],
    ['got an answer without an id', () => Response.json({ id: 7 })],
    ['got a list', () => Response.json([])],
  ])('says so as well where the first try %s, and the last one never left', async (_, answer) => {
    let posts = 0;
    const { remote, clock } = await aRemote({
      before: ({ method }) => (method === 'POST' && (posts += 1) === 1 ? answer() : undefined),
      // After the first try there is no token to be had.
      token: () => (posts === 0 ? 'token' : Promise.reject(new Error('offline'))),
      accepts: () => 'another token',
    });
    const error = errorOf(lastValueFrom(remote.run(workflow)));
    expect(await clock.until(error)).toMatchObject({ _tag: 'OutcomeUnknown' });
    expect(posts).toBeLessThan(3);
  });

  it('errors with Closed where the remote is closed before an answer', async () => {
    const { remote, clock } = await aRemote({
      before: ({ method }) => (method === 'POST' ? lost() : undefined),
    });
    const error = errorOf(lastValueFrom(remote.run(workflow)));
    await clock.advance(0);
    remote.close();
    expect(await error).toMatchObject({ _tag: 'Closed' });
  });

  it('errors with the failure itself where no try has left', async () => {
    const { remote, clock, asked } = await aRemote({ token: () => Promise.reject(new Error('offline')) });
    const error = errorOf(lastValueFrom(remote.run(workflow)));
    expect(await clock.until(error)).toMatchObject({ _tag: 'Network', code: 'TOKEN' });
    expect(asked).toEqual([]);
  });

  it('says that the outcome is unknown where its key is used by an earlier try, and says so of no other refusal', async () => {
    let answer: () => Response | undefined = () => undefined;
    let posts = 0;
    const { remote, clock } = await aRemote({
      before: ({ method }) => {
        if (method !== 'POST') return undefined;
        posts += 1;
        return posts % 2 === 1 ? lost() : answer();
      },
    });
    const after = async (next: typeof answer) => {
      answer = next;
      posts = 0;
      return clock.until(errorOf(lastValueFrom(remote.run(workflow))));
    };
    const refusal = (status: number, code: string, more: object = {}) =>
      Response.json({ error: { code, message: 'No.', ...more } }, { status });
    expect(await after(() => refusal(422, 'idempotency_key_reuse'))).toMatchObject({
      ...{ _tag: 'OutcomeUnknown', keyUsed: true },
    });
    for (const [status, tag] of [
      [400, 'BadRequest'],
      [413, 'TooLarge'],
      [422, 'BadRequest'],
    ] as const)
      expect(await after(() => refusal(status, 'no'))).toMatchObject({ _tag: tag, status });
    expect(await after(() => refusal(403, 'no'))).toMatchObject({ _tag: 'OutcomeUnknown' });
    expect(await after(() => new Response('<html>'))).toMatchObject({ _tag: 'OutcomeUnknown' });
  });

  it('follows the job that a refusal names, whose states say what became of it', async () => {
    const setting = await aRemote({
      before: ({ method }) =>
        method === 'POST'
          ? Response.json(
              { error: { code: 'upstream_error', message: 'No.', details: { job_id: 'known' } } },
              { status: 500 },
            )
          : undefined,
    });
    const { remote, clock, asked } = setting;
    const error = errorOf(lastValueFrom(remote.run(workflow)));
    expect(await clock.until(error)).toMatchObject({ _tag: 'NotFound' });
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(asked.map(({ path }) => path)).toContain('/jobs/known');
  });

  it('sends the key and the labels that it is given, and a new key for each subscription', async () => {
    const { remote, clock, asked, service } = await aRemote();
    const run = remote.run(workflow, { metadata: { a: 'b' } });
    const same = remote.run(workflow, { idempotencyKey: 'mine' });
    const running = [run, run, same, same].map((one) => one.subscribe());
    await clock.advance(1_000);
    const keys = asked
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys.slice(2)).toEqual(['mine', 'mine']);
    expect(new Set(keys).size).toBe(3);
    expect(service.submitted).toHaveLength(3);
    for (const one of running) one.unsubscribe();
  });

  it('errors with the refusal of a workflow, and asks once', async () => {
    const { remote, clock, asked } = await aRemote();
    const error = errorOf(lastValueFrom(remote.run({})));
    expect(await clock.until(error)).toMatchObject({
      _tag: 'BadRequest',
      status: 422,
      errorType: 'invalid_workflow',
    });
    expect(asked).toHaveLength(1);
  });

  it('leaves the job alone when its subscriber leaves, or ends it where that is asked for, also before the answer', async () => {
    const { remote, service, clock } = await aRemote();
    const detached = remote.run(workflow).subscribe();
    await clock.advance(1_000);
    detached.unsubscribe();
    await clock.advance(1_000);
    expect(service.cancelled).toEqual([]);
    remote.run(workflow, { onUnsubscribe: 'cancel' }).subscribe().unsubscribe();
    await clock.advance(1_000);
    expect(service.cancelled).toEqual(['p2']);
    const over = remote.run(workflow, { onUnsubscribe: 'cancel' }).subscribe();
    await clock.advance(1_000);
    for (const state of life('p3')) service.jobs[2]?.move(state);
    await clock.advance(1_000);
    over.unsubscribe();
    await clock.advance(1_000);
    expect(service.cancelled).toEqual(['p2']);
  });

  it('submits a template, and names what is wrong with its inputs', async () => {
    const template = Object.assign(
      (inputs: unknown) =>
        (inputs as { prompt?: string }).prompt === undefined
          ? {
              _tag: 'Left' as const,
              left: {
                message: 'wrong',
                problems: [{ name: 'prompt', type: 'missing', message: 'It is missing.' }],
              },
            }
          : { _tag: 'Right' as const, right: workflow },
      { jsonSchema: {} },
    );
    const { remote, service, clock } = await aRemote({ templates: { picture: template as never } });
    const error = errorOf(lastValueFrom(remote.runTemplate('picture', {})));
    expect(await clock.until(error)).toMatchObject({ _tag: 'InvalidInputs', problems: [{ name: 'prompt' }] });
    const job = firstValueFrom(remote.runTemplate('picture', { prompt: 'a lighthouse' }).pipe(toArray()));
    await clock.advance(1_000);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    expect((await clock.until(job)).at(-1)?.phase).toBe('completed');
    expect(await errorOf(clock.until(lastValueFrom(remote.runTemplate('none', {}))))).toMatchObject({
      _tag: 'NotFound',
    });
  });
});
