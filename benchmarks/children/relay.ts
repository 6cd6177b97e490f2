import { createChannel, createSession } from 'better-sse';
import { right } from 'fp-ts/lib/Either.js';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BehaviorSubject, Subject } from 'rxjs';
import type { Client } from '../../src/client/client-types.js';
import { createGateway } from '../../src/server/gateway/create-gateway.js';
import { toNodeHandler } from '../../src/server/gateway/node/to-node-handler.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { answering } from '../tools/answering.js';
import { monotonicMs, type Published, type RelayQuestion, type RelayWay } from '../tools/relay.js';

/** One job whose states come from here, so that what is measured lies between a state and the sockets of the readers. */
const promptId = 'a-job';
const workflow = { 3: { class_type: 'KSampler', inputs: {} } };
const first: JobState = { ...initialJobState({ promptId, workflow }), phase: 'in_progress', startedAt: 1 };
const states = new BehaviorSubject<JobState>(first);
const frames = new Subject<Frame>();

const stateOf = (value: number, max: number): JobState => ({
  ...first,
  progress: value / max,
  nodes: { 3: { nodeId: '3', displayNodeId: '3', phase: 'running', value, max, fraction: value / max } },
});

/** What a server written by hand tells of a state. */
const told = ({ phase, progress, nodes }: JobState) => ({
  job: promptId,
  type: 'progress',
  at: Date.now(),
  progress: { phase, progress, nodes },
});

const gatewayListener = async (): Promise<{ readonly listener: RequestListener; readonly path: string }> => {
  const job = { promptId, states, frames };
  const client = {
    submissionIds: 'none',
    submit: () => () => Promise.resolve(right(job)),
    job: () => job,
    rest: {},
  } as unknown as Client;
  const gateway = createGateway({
    client,
    authorize: () => ({ name: 'reader' }),
    limits: { streams: 10_000, requestsPerSecond: 1_000_000 },
  });
  const submitted = await gateway.fetch(
    new Request('http://127.0.0.1/api/v2/jobs', { method: 'POST', body: JSON.stringify({ workflow }) }),
  );
  const { id } = (await submitted.json()) as { readonly id: string };
  return { listener: toNodeHandler(gateway), path: `/jobs/${id}/events` };
};

/** The least: each event is written once as text, and to all responses. */
const byHand = (): RequestListener => {
  const readers = new Set<ServerResponse>();
  states.subscribe((state) => {
    const text = `event: progress\ndata: ${JSON.stringify(told(state))}\n\n`;
    for (const reader of readers) reader.write(text);
  });
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    readers.add(response);
    response.on('close', () => readers.delete(response));
  };
};

const betterSse = (): RequestListener => {
  const channel = createChannel();
  states.subscribe((state) => void channel.broadcast(told(state), 'progress'));
  return (request, response) => {
    void createSession(request, response).then((session) => channel.register(session));
  };
};

const listen = async (listener: RequestListener, path = '/'): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
};

const publish = async (count: number, everyMs: number): Promise<Published> => {
  const at: number[] = [];
  const before = process.cpuUsage();
  for (let value = 1; value <= count; value += 1) {
    at.push(monotonicMs());
    states.next(stateOf(value, count));
    await delay(everyMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { at, cpuMs: (user + system) / 1000 };
};

const started = (async (): Promise<Readonly<Record<RelayWay, string>>> => {
  const { listener, path } = await gatewayListener();
  return {
    promptwire: await listen(listener, path),
    'by hand': await listen(byHand()),
    'better-sse': await listen(betterSse()),
  };
})();

answering(async (question: RelayQuestion) => {
  if (question === 'addresses') return started;
  if ('publish' in question) return publish(question.count, question.everyMs);
  const image = new Uint8Array(question.preview).fill(7);
  frames.next({ _tag: 'Preview', mediaType: 'image/jpeg', image, promptId, nodeId: '3' } as unknown as Frame);
  return undefined;
});
