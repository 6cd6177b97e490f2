import { once } from 'node:events';
import { connect } from 'node:net';
import { firstValueFrom, Subject } from 'rxjs';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { operatorHere } from '../../../src/cli/serving/callers.js';
import { runGateway, type Serving } from '../../../src/cli/serving/run-gateway.js';
import type { Authorize } from '../../../src/gateway.js';
import { createClient } from '../../../src/node.js';

afterEach(() => vi.useRealTimers());

/** A gateway before a service that nobody asks, until `stop` ends it. */
const served = async (authorize: Authorize = operatorHere, more: Partial<Serving> = {}) => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
  onTestFinished(() => client[Symbol.asyncDispose]());
  const events: CliEvent[] = [];
  const stages: string[] = [];
  const stop = new AbortController();
  let announced: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (announced = resolve));
  const session = {
    stop: stop.signal,
    report: (event: CliEvent) => void events.push(event),
    enterStage: (stage: string) => void stages.push(stage),
  };
  const ended = runGateway(
    session,
    { client, authorize },
    {
      ...{ port: 0, host: '127.0.0.1' },
      announce: (baseUrl) => {
        announced(baseUrl);
        return { kind: 'gateway', baseUrl };
      },
      ...more,
    },
  );
  const base = await Promise.race([address, ended.then(() => '')]);
  return { base, ended, events, stages, stop };
};

it('a gateway tells its address, each request that it has answered, and ends with the command', async () => {
  const { base, ended, events, stages, stop } = await served();
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  expect([stages, events]).toEqual([['serve'], [{ kind: 'gateway', baseUrl: base }]]);
  const answer = await fetch(`${base}/jobs/none`);
  expect([answer.status, await answer.text()]).toEqual([404, expect.anything()]);
  // Longer than load balancers keep theirs.
  expect(answer.headers.get('keep-alive')).toBe('timeout=75');
  stop.abort();
  expect(await ended).toBe('done');
  const request = events.find((event) => event.kind === 'request');
  expect(request).toMatchObject({ method: 'GET', path: '/jobs/none', status: 404, caller: 'local' });
  expect(Number.isInteger(request?.ms)).toBe(true);
  await expect(fetch(base)).rejects.toThrow();
});

it('a request that fails for a reason of its own is warned of', async () => {
  const { base, ended, events, stop } = await served(() => {
    throw new Error('no such table');
  });
  const answer = await fetch(`${base}/jobs/none`);
  await answer.text();
  expect(answer.status).toBe(500);
  expect(events).toContainEqual({ kind: 'warning', message: 'a request failed: no such table' });
  stop.abort();
  await ended;
});

it('the page of the studio stands before it', async () => {
  const page = { bytes: new TextEncoder().encode('the page'), headers: { 'content-type': 'text/html' } };
  const { base, ended, stop } = await served(operatorHere, { studio: new Map([['', page]]) });
  expect(await (await fetch(`${base}/`)).text()).toBe('the page');
  expect((await fetch(`${base}/jobs/none`)).status).toBe(404);
  stop.abort();
  await ended;
});

it('an answer under way ends before the command does', async () => {
  const [asked, answers] = [new Subject<void>(), new Subject<void>()];
  const isAsked = firstValueFrom(asked);
  const { base, ended, stop } = await served(async () => {
    asked.next();
    await firstValueFrom(answers);
    return { name: 'local' };
  });
  const answer = fetch(`${base}/jobs/none`);
  await isAsked;
  stop.abort();
  answers.next();
  expect((await answer).status).toBeLessThan(600);
  expect(await ended).toBe('done');
});

it('nothing keeps the process once all connections have ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ended, stop } = await served();
  stop.abort();
  expect(await ended).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('a connection whose request never comes is closed once the command is stopped', async () => {
  const { base, ended, stop } = await served();
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n');
  // The server has the beginning once it has answered a later connection.
  await (await fetch(`${base}/jobs/none`, { headers: { connection: 'close' } })).text();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = once(socket, 'close');
  stop.abort();
  await closed;
  expect(await ended).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('an answer that does not come is cut five seconds after the command is stopped', async () => {
  const asked = new Subject<void>();
  const isAsked = firstValueFrom(asked);
  const { base, ended, stop } = await served(() => {
    asked.next();
    return new Promise(() => undefined);
  });
  const answer = fetch(`${base}/jobs/none`).catch(() => 'cut');
  await isAsked;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isOver = false;
  void ended.then(() => (isOver = true));
  stop.abort();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toBe('cut');
  expect(await ended).toBe('done');
});
