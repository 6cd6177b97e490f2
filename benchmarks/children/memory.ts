import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lastValueFrom, type Observable } from 'rxjs';
import { eachValueFrom } from 'rxjs-for-await';
import {
  createClient,
  type Frame,
  initialJobState,
  stepJobState,
  toAsyncIterable,
  toPromise,
} from '../../src/node.js';
import { answering } from '../tools/answering.js';
import { declarationsOf } from '../../src/cli/types/declarations.js';
import { definitionBytes } from '../tools/workflow-inputs.js';
import { startUploadService } from '../tools/upload-service.js';
import { jobEvents } from '../tools/job-events.js';
import { connectedClient, watchJobs } from '../tools/many-jobs.js';
import { heapGrowth, type MemoryAnswer, type MemoryQuestion, residentGrowth } from '../tools/memory.js';
import { startSender } from '../tools/sender.js';
import { mebibyte } from '../tools/sizes.js';
import { startStorage } from '../tools/storage.js';

answering((question: MemoryQuestion): Promise<MemoryAnswer> => {
  switch (question.of) {
    case 'idle jobs':
      return idleJobs(question.count);
    case 'fold':
      return fold(question.events);
    case 'slow consumer':
      return slowConsumer(question.way, question.count);
    case 'download':
      return download(question.bytes);
    case 'upload':
      return upload(question.path);
    case 'types':
      return types(question.classes);
  }
});

const idleJobs = async (count: number): Promise<MemoryAnswer> => {
  const sender = await startSender();
  const client = await connectedClient(sender.baseUrl('idle'));
  // The first ones bring what all share: code, connections.
  await watchJobs(client, 100, () => undefined);
  const bytes = await heapGrowth(() => watchJobs(client, count, () => undefined));
  await sender.end();
  return { bytes };
};

const fold = async (count: number): Promise<MemoryAnswer> => {
  const events = jobEvents(count);
  let state = initialJobState({});
  const bytes = await heapGrowth(() => {
    for (const event of events) state = stepJobState(state, event);
    return Promise.resolve();
  });
  if (state.phase !== 'completed') throw new Error('the job did not complete');
  return { bytes };
};

/** The most that is held at any of twenty moments while declarations are written. */
const types = async (classes: number): Promise<MemoryAnswer> => {
  const source = definitionBytes(classes);
  let most = 0;
  let written = 0;
  const before = await heapGrowth(() => Promise.resolve());
  const base = process.memoryUsage().heapUsed - before;
  for await (const piece of declarationsOf(source)) {
    written += 1;
    if (piece.length === 0 || written % Math.ceil(classes / 20) !== 0) continue;
    globalThis.gc?.();
    most = Math.max(most, process.memoryUsage().heapUsed - base);
  }
  return { bytes: most };
};

const pictureSize = 200 * 1000;
const perPictureMs = 10;

const slowConsumer = async (way: 'promptwire' | 'queueing', count: number): Promise<MemoryAnswer> => {
  const sender = await startSender();
  const client = await connectedClient(sender.baseUrl('slow'));
  const iterate = (frames: Observable<Frame>): AsyncIterable<Frame> =>
    way === 'promptwire' ? toAsyncIterable(frames, { overflow: 'latest' }) : eachValueFrom(frames);
  let endSeenAfterMs = NaN;
  const bytes = await residentGrowth(async () => {
    const frames = iterate(client.frames);
    const send = await sender.prepare('slow', { kind: 'a job of pictures', count, size: pictureSize });
    // What reads lazily subscribes with the first `next()`.
    const reading = (async () => {
      for await (const frame of frames) {
        if (frame._tag === 'Event' && frame.type === 'execution_success') {
          endSeenAfterMs = Date.now() - Number(frame.data.timestamp);
          return;
        }
        await delay(perPictureMs);
      }
    })();
    send();
    await reading;
  });
  await client.close();
  await sender.end();
  return { bytes, endSeenAfterMs };
};

const download = async (bytes: number): Promise<MemoryAnswer> => {
  const storage = await startStorage(mebibyte);
  const { baseUrl, apiKey, file } = storage;
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-bench-'));
  const client = createClient({ baseUrl, apiKey });
  const get = (): Promise<unknown> => lastValueFrom(client.download([file], folder, { overwrite: true }));
  await get();
  await storage.resize(bytes);
  const growth = await residentGrowth(get);
  await client.close();
  await storage.end();
  await rm(folder, { recursive: true });
  return { bytes: growth };
};

const upload = async (path: string): Promise<MemoryAnswer> => {
  const service = await startUploadService();
  const client = createClient({ baseUrl: service.baseUrl, apiKey: 'comfyui-0123456789abcdef' });
  await toPromise(client.rest.uploadImage({ content: new Blob(['small']), filename: 'small.png' }));
  const growth = await residentGrowth(() => toPromise(client.rest.uploadImage(path)));
  await client.close();
  await service.end();
  return { bytes: growth };
};
