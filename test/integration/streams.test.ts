import { filter, firstValueFrom, lastValueFrom, map, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { toReadableStream } from '../../src/core/interop/to-readable-stream.js';
import { previews } from '../../src/core/operators/previews.js';
import { untilTerminal } from '../../src/core/operators/until-terminal.js';
import { endsJob } from '../../src/core/protocol/attribution/running-prompts.js';
import type { Frame, Preview } from '../../src/core/protocol/frames/frame.js';
import { emulated, picture, reaches, slow, submit } from '../helpers/emulated.js';

const steps = 12;

describe.each(['interface', '2026'] as const)('streams of a job (%s)', (profile) => {
  it('I-1: a slow reader with overflow latest gets the newest picture and every event, in order', async () => {
    const { client } = await emulated({ profile, speed: 10 });
    const job = await submit(client, picture(steps));
    const told: Frame[] = [];
    const frames = job.frames.pipe(
      untilTerminal(),
      tap((frame) => void told.push(frame)),
    );
    const values = toAsyncIterable(frames, { overflow: 'latest', capacity: 200 });
    const first = await values.next();
    // The reader is slow: it asks again only when everything has been told.
    await lastValueFrom(job.states);
    const read: Frame[] = first.done === true ? [] : [first.value];
    for await (const frame of values) read.push(frame);

    const pictures = (of: readonly Frame[]) => of.filter((frame) => frame._tag === 'Preview');
    const steady = (of: readonly Frame[]) =>
      of.filter((frame) => frame._tag === 'Event' && !frame.type.startsWith('progress'));
    expect(pictures(told).length).toBeGreaterThan(1);
    expect(pictures(read)).toEqual([pictures(told).at(-1)]);
    expect(steady(read)).toEqual(steady(told));
    expect(read.length).toBeLessThan(told.length);
    expect(endsJob(read.at(-1)!)).toBe(true);
  });

  it('a ReadableStream takes no more than is read, and keeps the newest for who comes late', async () => {
    const { client } = await emulated({ profile, speed: 10 });
    const job = await submit(client, picture(steps));
    const taken: Preview[] = [];
    const stream = toReadableStream(
      job.frames.pipe(
        untilTerminal(),
        previews(),
        tap((preview) => void taken.push(preview)),
      ),
      { overflow: 'latest', capacity: 4 },
    );
    await lastValueFrom(job.states);
    const reader = stream.getReader();
    expect(taken.length).toBeGreaterThan(1);
    expect(await reader.read()).toEqual({ done: false, value: taken.at(-1) });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it('carries a whole job as the body of a response', async () => {
    const { client } = await emulated({ profile });
    const job = await submit(client, picture(2));
    const lines = job.states.pipe(map((state) => `${JSON.stringify(state.phase)}\n`));
    const body = toReadableStream(lines).pipeThrough(new TextEncoderStream());
    const text = await new Response(body).text();
    expect(text.trimEnd().split('\n').at(-1)).toBe('"completed"');
  });

  it('lets go of its socket when the reader goes away, and of the job never', async () => {
    const { client, emulator } = await emulated({ profile, speed: 20 }, { lingerMs: 0 });
    const workflow = slow();
    const reader = toReadableStream(client.run(workflow), { overflow: 'latest' }).getReader();
    let promptId = '';
    while (promptId === '') promptId = (await reader.read()).value?.promptId ?? '';
    const closed = firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'idle')));
    await reader.cancel();
    await closed;
    const { running, pending } = await toPromise(client.rest.queue());
    expect([...running, ...pending].map((item) => item.promptId)).toEqual([promptId]);
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('ends a for await by break, without an end of the job', async () => {
    const { client } = await emulated({ profile, speed: 20 });
    const job = await submit(client, slow());
    for await (const { phase } of job) if (phase === 'in_progress') break;
    await toPromise(job.cancel());
    expect(await reaches(job, 'cancelled')).toMatchObject({ promptId: job.promptId });
  });
});
