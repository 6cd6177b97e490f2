import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { clientOf, clientOfJob } from '../../../src/cli/commands/client-of-job.js';
import { serviceError } from '../../../src/node.js';

const [single, found] = [{ name: 'single' }, { name: 'found' }];
const missing = serviceError('NotFound', { message: 'no server knows it' });

/** A session whose pool answers with this, once `answer` is called. */
const sessionOf = (answer: object) => {
  const scheduler = new VirtualTimeScheduler();
  const events: unknown[] = [];
  const used: unknown[] = [];
  let tell: (value: unknown) => void = () => undefined;
  const told = new Promise((resolve) => (tell = resolve));
  const session = {
    ...{ io: { scheduler }, stop: new AbortController().signal },
    connect: () => Promise.resolve(single),
    report: (event: unknown) => void events.push(event),
    useClient: (client: unknown) => void used.push(client),
    pool: () =>
      Promise.resolve({
        serverOf: (id: string) => () => told.then(() => ({ ...answer, id })),
        client: (name: unknown) => (name === 'attic' ? found : undefined),
      }),
  } as never;
  const until = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    scheduler.maxFrames = ms;
    scheduler.flush();
  };
  return { session, events, used, until, tell: () => tell(undefined) };
};
const many = { server: ['http://a'] } as never;
const right = { _tag: 'Right', right: 'attic' };

describe('the client of a job', () => {
  it('is that of the one service, which the session has anyway', async () => {
    const { session, used } = sessionOf(right);
    expect(await clientOf(session, {}, 'p')).toEqual({ _tag: 'Right', right: single });
    expect(await clientOfJob(session, {}, 'p')).toBe(single);
    expect(used).toEqual([]);
  });

  it('is that of the server which has it, and the one of the session from then on', async () => {
    const { session, used, tell } = sessionOf(right);
    tell();
    expect(await clientOf(session, many, 'p')).toEqual({ _tag: 'Right', right: found });
    expect(used).toEqual([]);
    expect(await clientOfJob(session, many, 'p')).toBe(found);
    expect(used).toEqual([found]);
  });

  it('is none where no server knows it', async () => {
    const { session, tell } = sessionOf({ _tag: 'Left', left: missing });
    tell();
    expect(await clientOf(session, many, 'p')).toMatchObject({ _tag: 'Left', left: missing });
    await expect(clientOfJob(session, many, 'p')).rejects.toBe(missing);
  });

  it('is waited for with a word after three seconds, and none once it is found', async () => {
    const { session, events, until, tell } = sessionOf(right);
    const asking = clientOf(session, many, 'p');
    await until(2_999);
    expect(events).toEqual([]);
    await until(3_000);
    expect(events).toEqual([
      { kind: 'warning', message: 'No server knows p so far: asking those that are away again.' },
    ]);
    tell();
    await asking;
    const quick = sessionOf(right);
    const other = clientOf(quick.session, many, 'p');
    quick.tell();
    await other;
    await quick.until(10_000);
    expect(quick.events).toEqual([]);
  });
});
