import { otherWarnings } from './other-warnings.js';
import { createClient, defaultPlatform, type Platform } from '../../../src/node.js';
import { createPool } from '../../../src/pool.js';
import { createJobQueue, createWorker, folderSink, type JobSink } from '../../../src/queue.js';
import { type KillPoint, type QueueProcessPlan } from './kill-points.js';
import {
  addScript,
  answeredScript,
  appendHeldScript,
  intendScript,
  leaveScript,
  placeScript,
  takeOpenScript,
  takeScript,
} from '../../../src/server/queue/store/scripts/generated/scripts.js';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Script } from '../../../src/server/queue/store/script.js';
import { textToImageWorkflow } from '../../../src/emulator.js';

/** A worker in a process of its own, or a producer where its point is one, which kills itself at its point. */
const [plan] = (await once(process, 'message')) as [QueueProcessPlan];

let left = plan.kill?.nth ?? 1;
/** Ends the process at once where this is its point. */
const pass = (point: KillPoint): void => {
  if (plan.kill?.point !== point) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
};

const around: readonly (readonly [Script, KillPoint | undefined, KillPoint])[] = [
  [addScript, undefined, 'between a job and its turn'],
  [takeScript, 'before it takes a job', 'after it took a job'],
  [placeScript, 'before it takes a job', 'after it took a job'],
  [takeOpenScript, 'before it takes a job', 'after it took a job'],
  [intendScript, 'before the intent', 'after the intent'],
  [answeredScript, 'before the id is stored', 'after the id is stored'],
  [appendHeldScript, 'before events are logged', 'after events are logged'],
  [leaveScript, 'before the job is left', 'after the job is left'],
];

// Commands leave and answers come back through this one method.
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its connection.
const send = Redis.prototype.sendCommand;
Redis.prototype.sendCommand = function (this: Redis, command, ...more) {
  const [text] = command.args;
  const known = around.find(([{ lua, sha }]) => text === sha || text === lua);
  if (known === undefined) return send.call(this, command, ...more);
  const [, before, after] = known;
  if (before !== undefined) pass(before);
  const answer = send.call(this, command, ...more) as Promise<unknown>;
  // The first listener runs before those of the caller.
  answer.then(
    () => pass(after),
    () => undefined,
  );
  return answer;
};

const isLook = (method: string, path: string): boolean =>
  method === 'GET' && /\/(?:queue|history|history_v2|jobs)\b/u.test(path);

const watched = (platform: Platform): Platform => ({
  ...platform,
  request: async (request) => {
    const { pathname } = new URL(request.url);
    const isSubmission = request.method === 'POST' && /\/(?:prompt|jobs)$/u.test(pathname);
    if (isSubmission) pass('before the request');
    if (pathname.endsWith('/view')) pass('while it downloads');
    if (isLook(request.method, pathname)) pass('while it looks for a job');
    const answering = platform.request(request);
    if (isSubmission && plan.kill?.point === 'while the request is under way')
      setTimeout(() => pass('while the request is under way'), (left * 7) % 5);
    const answer = await answering;
    if (isSubmission) pass('after the answer');
    if (isLook(request.method, pathname)) pass('after it looked for a job');
    return answer;
  },
});

const sinkOf = (folder: string): JobSink => {
  const sink = folderSink(folder);
  return {
    deliver: async (job, context) => {
      pass('before it delivers');
      await sink.deliver(job, context);
      pass('after it delivered');
    },
  };
};

const { redis, name, baseUrl, wsUrl, apiKey, dialect, tier, servers, lockMs, rules, folder, graceMs } = plan;
const common = {
  ...{ connection: redis, name, onWarning: otherWarnings },
  ...(servers === undefined && { tier }),
};
if (plan.kill?.point === 'between a job and its turn') {
  const queue = createJobQueue(common);
  for (let nth = 0; ; nth += 1) {
    const mark = `${process.pid}-${nth}`;
    await queue.add(
      textToImageWorkflow({ seed: process.pid * 1_000 + nth, steps: 2, width: 64, height: 64 }),
      {
        extraData: { extra_pnginfo: { mark } },
      },
    );
  }
} else {
  const service = {
    ...{ apiKey, dialect, platform: watched(defaultPlatform()) },
    // Its jobs take milliseconds, so that it asks for a thousand times as many records as it would of a service.
    requestBudget: { perSecond: 1_000, burst: 1_000 },
  };
  const own =
    servers === undefined
      ? { client: createClient({ ...service, baseUrl, ...(wsUrl !== '' && { wsUrl }) }) }
      : { pool: createPool({ servers: servers.map((one) => ({ ...service, ...one })) }) };
  const worker = createWorker({
    ...{ ...common, ...own, lockMs, rules },
    ...(folder !== undefined && { sink: sinkOf(folder) }),
  });
  process.once('SIGTERM', () => {
    void worker
      .close({ graceMs })
      .then(() => (own.client ?? own.pool).close())
      .then(() => process.disconnect());
  });
  process.on('disconnect', () => process.exit());
  await worker.ready;
  process.send?.(worker.id);
}
