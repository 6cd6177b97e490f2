import { expect, it } from 'vitest';
import { defaultRules } from '../../../src/server/queue/policy/rules.js';
import { randomUUID } from 'node:crypto';
import { firstValueFrom, Subject } from 'rxjs';
import { redisJobStore } from '../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../src/server/queue/store/redis-queue-store.js';
import { describeRedis } from '../describe-redis.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle, type SettleContext } from '../../../src/server/queue/worker/settle.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubmissionIds } from 'promptwire';
import type { SubmissionService } from '../../../src/server/queue/policy/submission-ports.js';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

const rules = { ...defaultRules, deadlineMs: 5_000, lagMs: 0, lookEveryMs: 10 };
const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const elapsed = () => performance.now();

/** A service that runs what it gets, and shows whose submission a run was. */
const serviceWith = (submissionIds: SubmissionIds) => {
  const runs: { readonly id: string; readonly submissionId: string }[] = [];
  const service: SubmissionService = {
    submissionIds,
    submit: (submissionId) => {
      if (submissionIds === 'keys' && runs.some((run) => run.submissionId === submissionId)) {
        const unknown = { candidates: [], startedAt: 0, keyUsed: true } as const;
        return Promise.resolve({ _tag: 'error', error: serviceError('OutcomeUnknown', unknown) });
      }
      const id = submissionIds === 'jobs' ? submissionId : randomUUID();
      runs.push({ id, submissionId });
      return Promise.resolve({ _tag: 'accepted', promptId: id });
    },
    observe: ({ submissionId }) => {
      const marked = runs.filter((run) => run.submissionId === submissionId).map(({ id }) => id);
      return Promise.resolve({ marked, alike: [] });
    },
  };
  return { runs, service };
};

describeRedis(
  (server) => {
    it.each(['jobs', 'keys', 'none'] as const)(
      'pays once where the server and a worker die during a submission, by a service with %s',
      async (submissionIds) => {
        const open = () =>
          redisJobStore({ redis: server().connect(), name: submissionIds, time: storeClock(elapsed) });
        const { runs, service } = serviceWith(submissionIds);
        const contextOf = (worker: string): Omit<SettleContext, 'service'> => ({
          worker,
          store: open(),
          rules,
          uuid: randomUUID,
          elapsed,
          pause,
        });
        const store = open();
        await store.add({ id: 'x', workflow });
        const first = await store.take('x', 'a');
        const second = () => store.take('x', 'b');
        if (first === undefined) throw new Error('No job waits.');

        let leave = (): void => undefined;
        const left = new Promise<void>((resolve) => (leave = resolve));
        const dying: SubmissionService = {
          ...service,
          submit: async (...submission) => {
            await service.submit(...submission);
            leave();
            return new Promise(() => undefined);
          },
        };
        void settle(first, { ...contextOf('a'), service: dying });
        await left;
        await server().kill();
        await server().start();

        const taken = await second();
        if (taken === undefined) throw new Error('The turn has lost its job.');
        expect(taken.record.intent).toMatchObject({ worker: 'a', attempt: 1, submissionIds });
        const settled = await settle(taken, { ...contextOf('b'), service });
        expect(runs).toHaveLength(1);
        expect(settled).toEqual({ _tag: 'attached', promptId: runs[0]?.id });
        expect((await store.get('x'))?.promptId).toBe(runs[0]?.id);
      },
    );

    it.each(['jobs', 'keys', 'none'] as const)(
      'pays once where another worker takes the job while the service answers, by a service with %s',
      async (submissionIds) => {
        const redis = server().connect();
        const name = `late ${submissionIds}`;
        const store = redisJobStore({ redis, name, time: storeClock(elapsed) });
        const queueStore = redisQueueStore({ redis, name });
        const { runs, service } = serviceWith(submissionIds);
        await store.add({ id: 'x', workflow });
        const first = await store.take('x', 'a');
        if (first === undefined) throw new Error('No job waits.');
        const arrived = new Subject<void>();
        const answer = new Subject<void>();
        const slow: SubmissionService = {
          ...service,
          submit: async (...submission) => {
            const answered = await service.submit(...submission);
            arrived.next();
            await firstValueFrom(answer);
            return answered;
          },
        };
        const common = { store, rules, uuid: randomUUID, elapsed, pause };
        const isSent = firstValueFrom(arrived);
        const settling = settle(first, { ...common, worker: 'a', service: slow });
        await isSent;
        const second = await store.take('x', 'b');
        if (second === undefined) throw new Error('The turn has lost its job.');
        const other = settle(second, { ...common, worker: 'b', service });
        const attached = { _tag: 'attached', promptId: runs[0]?.id };
        expect(await other).toEqual(attached);
        answer.next();
        expect(await settling).toEqual(attached);
        expect(runs).toHaveLength(1);
        // The first worker has the id, and the job no more.
        const event = { type: 'cancelRequested', at: 1 } as const;
        expect(await queueStore.append(first, '', [event], true)).toBe('none');
        expect(await store.leave(first, 'ended', '', 'failed')).toBe(false);
        expect(await queueStore.append(second, '', [event], true)).toBe('all');
        expect(await store.leave(second, 'ended', '', 'completed')).toBe(true);
        expect(await store.get('x')).toMatchObject({ outcome: 'completed', promptId: runs[0]?.id });
      },
    );

    it('submits nothing for a worker whose job another one has taken meanwhile', async () => {
      const store = redisJobStore({ redis: server().connect(), name: 'stale', time: storeClock(elapsed) });
      const { runs, service } = serviceWith('none');
      await store.add({ id: 'x', workflow });
      const stale = await store.take('x', 'a');
      await store.take('x', 'b');
      if (stale === undefined) throw new Error('No job waits.');
      const context = { worker: 'a', store, service, rules, uuid: randomUUID, elapsed, pause };
      expect(await settle(stale, context)).toEqual({ _tag: 'lost' });
      expect(runs).toEqual([]);
    });
  },
  { isDurable: true },
);
