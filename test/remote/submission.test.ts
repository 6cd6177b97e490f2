import { describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { isServiceError } from '../../src/errors/service-error.js';
import { life, workflow } from '../gateway/support.js';

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
    expect(states.at(-1)).toMatchObject({ phase: 'completed', progress: 1 });
    expect(service.submitted).toHaveLength(1);
    expect((await remote.list({ metadata: { for: 'a test' } })).jobs).toHaveLength(1);
    expect((await remote.list({ metadata: { for: 'another' } })).jobs).toHaveLength(0);
  });

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
