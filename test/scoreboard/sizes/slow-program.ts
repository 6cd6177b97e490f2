import { setTimeout as delay } from 'node:timers/promises';
import { eachValueFrom } from 'rxjs-for-await';
import { createClient, type Frame, type Job, toAsyncIterable, toPromise } from '../../../src/node.js';
import { wordOf } from './lifecycle.js';
import { watchResources } from './resources.js';
import type { SlowAnswer, SlowWay } from './slow-answer.js';

/** A fresh process that takes 10 ms for each frame of a job, and writes what it saw as JSON. */
const [baseUrl = '', way = 'latest', apiKey = ''] = process.argv.slice(2);

const perFrameMs = 10;
const client = createClient({ baseUrl, apiKey });

const ways: Readonly<Record<SlowWay, (job: Job) => AsyncIterable<Frame>>> = {
  latest: ({ frames }) => toAsyncIterable(frames, { overflow: 'latest' }),
  // What users do without the library's bridge.
  queueing: ({ frames }) => eachValueFrom(frames),
  'dropping the oldest': ({ frames }) => toAsyncIterable(frames, { overflow: 'drop-oldest', capacity: 1 }),
};

const follow = async (): Promise<Omit<SlowAnswer, 'peakMiB'>> => {
  const job = await toPromise(client.submit({ 1: { class_type: 'X', inputs: {} } }));
  const words: string[] = [];
  let [previews, sentAt, framesMs] = [0, 0, 0];
  const reading = (async () => {
    for await (const frame of ways[way as SlowWay](job)) {
      if (frame._tag === 'Preview') previews += 1;
      if (frame._tag === 'Event') words.push(wordOf(frame));
      if (frame._tag === 'Event' && frame.type === 'execution_success') {
        sentAt = Number(frame.data.timestamp);
        framesMs = Date.now() - sentAt;
      }
      await delay(perFrameMs);
    }
  })();
  let [phase, settledAt] = ['', 0];
  for await (const state of job) {
    ({ phase } = state);
    settledAt = Date.now();
    await delay(perFrameMs);
  }
  await reading;
  return { words, previews, phase, framesMs, stateMs: settledAt - sentAt };
};

// The first job brings code and connections.
await follow();
const { peakMiB } = watchResources();
const answer: SlowAnswer = { ...(await follow()), peakMiB: peakMiB() };
await client.close();
process.stdout.write(JSON.stringify(answer));
