import * as TE from 'fp-ts/lib/TaskEither.js';
import { atServer } from '../../../../src/server/queue/worker/servers/at-server.js';
import { BehaviorSubject, lastValueFrom, NEVER, Subject } from 'rxjs';
import type { Client, ConnectionState, JobState } from '../../../../src/index.js';
import { describe, expect, it } from 'vitest';
import { initialJobState, serviceError } from '../../../../src/index.js';
import type { PlacedJob } from '../../../../src/server/queue/servers/server-store.js';
import { virtualClock } from '../../../../src/testing/virtual-clock.js';

/** A job that runs at a server of a queue: what is asked of the server, and what happens to both. */
const running = (submissionIds: 'jobs' | 'keys' = 'jobs') => {
  const clock = virtualClock();
  const states = new Subject<JobState>();
  const connection = new BehaviorSubject<ConnectionState>({ _tag: 'open', clientId: 'c' });
  const isDown = new BehaviorSubject(false);
  const asked: number[] = [];
  let knows = true;
  const jobStatus = () => async () => {
    asked.push(clock.now());
    return (knows ? TE.right({}) : TE.left(serviceError('NotFound', {})))();
  };
  const { watch } = atServer({
    placed: {
      ...{ id: 'x', fence: 1, server: 'attic', modelsBefore: [], record: {} },
      job: { id: 'x', tenant: 't', priority: 0, phase: 'held', createdAt: 0 },
    } as unknown as PlacedJob,
    client: { submissionIds, connection, rest: { jobStatus } } as unknown as Client,
    servers: {} as never,
    reached: { busy: () => undefined, ended: () => undefined, isDown: () => isDown },
    bring: () => NEVER as never,
    forgetRefused: () => NEVER as never,
    rules: {},
    clock,
  });
  const end = lastValueFrom(watch(states, 'p')).then(
    ({ phase }) => phase,
    (error: unknown) => (error as { readonly _tag: string })._tag,
  );
  const tell = (phase: JobState['phase']): void => {
    states.next({ ...initialJobState({ promptId: 'p', workflow: {} }), phase });
    if (phase === 'cancelled') states.complete();
  };
  tell('in_progress');
  const restart = (): void => {
    connection.next({ _tag: 'waiting', attempt: 1, delayMs: 1_000, reason: 'It was cut.' });
    connection.next({ _tag: 'open', clientId: 'd' });
  };
  return { clock, end, asked, isDown, restart, tell, forget: () => (knows = false) };
};

describe('a job of a queue at a server that is restarted', () => {
  it('is lost once the server has forgotten it twice, two seconds apart, though no call failed', async () => {
    const { clock, end, asked, restart, forget } = running();
    forget();
    restart();
    expect(await clock.until(end)).toBe('NotFound');
    expect(asked).toEqual([0, 2_000]);
  });

  it('is lost as well where the server was seen to be down', async () => {
    const { clock, end, isDown, forget } = running();
    isDown.next(true);
    forget();
    await clock.advance(60_000);
    isDown.next(false);
    expect(await clock.until(end)).toBe('NotFound');
    expect(clock.now()).toBe(62_000);
  });

  it('goes on at one that knows it', async () => {
    const { clock, end, asked, restart, tell } = running();
    restart();
    await clock.advance(60_000);
    expect(asked).toEqual([0]);
    tell('cancelled');
    expect(await end).toBe('cancelled');
  });

  it('is not asked for where a run costs money', async () => {
    const { clock, end, asked, restart, tell, forget } = running('keys');
    forget();
    restart();
    await clock.advance(60_000);
    expect(asked).toEqual([]);
    tell('cancelled');
    expect(await end).toBe('cancelled');
  });
});
