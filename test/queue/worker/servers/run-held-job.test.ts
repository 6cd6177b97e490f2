import type { AtServer } from '../../../../src/server/queue/worker/run-context.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { heldWorld, refusal } from '../held-world.js';
import { map } from 'rxjs';
import { serviceError } from '../../../../src/core/errors/service-error.js';

const gone = serviceError('DownloadFailed', {
  ...{ filename: 'photo.png', reason: 'it is gone', message: 'photo.png is gone.' },
});

describe('a job at one of several servers', () => {
  it('is submitted as that server takes it, and followed by what the worker learns there', async () => {
    const brought: unknown[] = [];
    const { calls, steps, states, state, run, settled, log } = heldWorld({
      atServer: {
        bring: (workflow) => Promise.resolve(E.right(workflow)).finally(() => brought.push(workflow)),
        watch: map((one) => ({ ...one, warnings: ['watched'] })),
      },
    });
    const running = run();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(brought).toEqual([{}]);
    expect(log.at(-1)?.event).toMatchObject({
      status: { phase: 'completed', warnings: ['watched'], server: 'attic', attempt: 1 },
    });
    expect(calls.at(-1)).toBe('leave ended completed completed');
    expect(steps).toEqual(['wait', 'submit p', 'run p']);
  });

  it.each([
    ['RateLimited', 'later'],
    ['BadRequest', 'job'],
  ] as const)('that is refused with %s goes to the others, with its slot', async (tag, why) => {
    const { calls, steps, run } = heldWorld({ answers: [refusal(tag)], atServer: {} });
    expect(await run()).toBe('requeue');
    expect(calls).toEqual(['intend', 'submit', `refused ${why} ${tag}`, 'leave waiting']);
    expect(steps).toEqual(['wait', `submit ${tag}`]);
  });

  it('gets its files again, once, where its server refuses it for want of them', async () => {
    const forgotten: unknown[] = [];
    const forgetRefused: AtServer['forgetRefused'] = ({ _tag }, workflow) =>
      Promise.resolve(forgotten.push([_tag, workflow]) > 0);
    const lacking = heldWorld({ answers: [refusal('BadRequest'), 'p'], atServer: { forgetRefused } });
    const running = lacking.run();
    await lacking.settled();
    lacking.states.next(lacking.state('completed'));
    expect(await running).toBe('done');
    expect(lacking.calls.filter((call) => /submit|refused/u.test(call))).toEqual(['submit', 'submit']);
    expect(forgotten).toEqual([['BadRequest', {}]]);
    const bad = heldWorld({ answers: [refusal('BadRequest')], atServer: { forgetRefused } });
    expect(await bad.run()).toBe('requeue');
    expect(bad.calls.filter((call) => /submit|refused/u.test(call))).toEqual([
      'submit',
      'submit',
      'refused job BadRequest',
    ]);
    expect(forgotten).toHaveLength(2);
    expect(bad.steps.filter((step) => step === 'wait')).toHaveLength(1);
  });

  it('fails where the queue has not got its files any more', async () => {
    const { calls, run } = heldWorld({ atServer: { bring: () => Promise.resolve(E.left(gone)) } });
    expect(await run()).toBe('done');
    expect(calls[0]).toBe('log t failed, the last one');
    expect(calls[1]).toBe('leave ended failed photo.png is gone.');
  });

  it.each([
    ['BadRequest', 'job'],
    ['RateLimited', 'later'],
    ['Unauthorized', 'later'],
    ['NotSupported', 'job'],
  ] as const)('goes to the others where its server does not take its files: %s', async (tag, why) => {
    const { calls, run } = heldWorld({ atServer: { bring: () => Promise.resolve(E.left(refusal(tag))) } });
    expect(await run()).toBe('requeue');
    expect(calls).toEqual([`refused ${why} ${tag}`, 'leave waiting']);
  });

  it.each([
    [
      'an intent',
      { intent: { attempt: 1, worker: 'dead', at: 0, since: 0, submissionIds: 'jobs', submissionId: 'p' } },
    ],
    ['an id', { promptId: 'p' }],
  ] as const)('that may run there by %s is followed, though its files are gone', async (_, record) => {
    const { calls, states, state, run, settled } = heldWorld({
      record,
      atServer: { bring: () => Promise.resolve(E.left(gone)) },
    });
    const running = run();
    await settled();
    states.next(state('completed'));
    expect(await running).toBe('done');
    expect(calls).toContain('follow p');
    expect(calls).not.toContain('submit');
  });

  it.each([
    [true, 'requeue', ['listen x', 'follow p', 'listen no more']],
    [
      false,
      'done',
      [
        'listen x',
        'follow p',
        'log t untraceable, the last one',
        'listen no more',
        'leave ended untraceable untraceable',
      ],
    ],
  ] as const)(
    'that the server lost is left where it is submitted again: %s',
    async (again, end, expected) => {
      const { calls, states, run, settled } = heldWorld({
        record: { promptId: 'p' },
        atServer: { lost: () => Promise.resolve(again) },
      });
      const running = run();
      await settled();
      states.error(serviceError('NotFound', { message: 'It is unknown.' }));
      expect(await running).toBe(end);
      expect(calls).toEqual(expected);
    },
  );
});
