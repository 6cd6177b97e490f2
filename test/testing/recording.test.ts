import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyCharacter } from '../helpers/any-character.js';
import { describe, expect, it } from 'vitest';
import { concat, firstValueFrom, from, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { createClient, isServiceError, type JobState, toPromise, type Frame } from '../../src/node.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { forPrompt } from '../../src/core/operators/for-prompt.js';
import { jobStates } from '../../src/core/operators/job-states.js';
import { jobFrames } from '../../src/testing/job-frames.js';
import { jobFrom } from '../../src/testing/recording/job-from.js';
import {
  recordFrames,
  type RecordFramesOptions,
  type RecordingEnd,
} from '../../src/testing/recording/record-frames.js';
import { replayFrames } from '../../src/testing/recording/replay-frames.js';
import { scriptedService } from '../../src/testing/service/scripted-service.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import { wireFrame } from '../helpers/frame-arbitraries.js';
import { encodePreview, encodePreviewWithMetadata, encodeProgressText } from '../helpers/encode-frame.js';
import { needlesOf } from '../helpers/needles.js';
import { spelled } from '../helpers/spelled.js';
import { runs } from '../helpers/runs.js';

const folder = mkdtempSync(join(tmpdir(), 'recording-'));
const head = '{"recording":"promptwire","version":1,"startedAt":"2026-01-01T00:00:00.000Z"}\n';
const { start, progress, executed, success, preview } = jobFrames('p1');

/** What a stream of frames is recorded as. */
const recordingOf = async (frames: readonly Frame[], options?: RecordFramesOptions): Promise<string> => {
  const lines: string[] = [];
  await lastValueFrom(from(frames).pipe(recordFrames((line) => lines.push(line), options)), {
    defaultValue: 0,
  });
  return lines.join('');
};

/** What a recording plays, with what it ends by. */
const played = async (
  text: string,
): Promise<{ readonly frames: readonly Frame[]; readonly error: unknown }> => {
  const frames: Frame[] = [];
  return new Promise((resolve) => {
    replayFrames({ text }, { speed: 'max' }).subscribe({
      next: (frame) => frames.push(frame),
      error: (error: unknown) => resolve({ frames, error }),
      complete: () => resolve({ frames, error: undefined }),
    });
  });
};

describe('a recording of the demo', () => {
  it('plays to the same states as it had, by client and by operator', { timeout: 60_000 }, async () => {
    await using emulator = await startEmulator({ speed: 20, profile: '2026' });
    const byClient = join(folder, 'client.jsonl');
    const byOperator = join(folder, 'operator.jsonl');
    const client = createClient({ ...emulator, record: recordFrames(byClient) });
    const recorded = lastValueFrom(client.frames.pipe(recordFrames(byOperator), toArray()));
    const workflow = textToImageWorkflow({ steps: 6, width: 64, height: 64 });
    const job = await toPromise(client.submit(workflow));
    const options = { promptId: job.promptId, workflow };
    const live = firstValueFrom(job.frames.pipe(forPrompt(job.promptId), jobStates(options), toArray()));
    const last = await lastValueFrom(job.states);
    const seen = await live;
    await client.close();

    for (const path of [byClient, byOperator]) {
      const frames = replayFrames(path, { speed: 'max' });
      expect(await lastValueFrom(frames.pipe(toArray()))).toEqual(await recorded);
      const states = await lastValueFrom(frames.pipe(forPrompt(job.promptId), jobStates(options), toArray()));
      expect(states).toEqual(seen);
      const again = await lastValueFrom(jobFrom(frames, { workflow }).states);
      expect(withoutTimes(again)).toEqual(withoutTimes(last));
    }
    expect(seen.length).toBeGreaterThan(10);
    expect(readFileSync(byClient, 'utf8')).toContain('"direction":"out"');
    expect(statSync(byClient).mode & 0o777).toBe(0o600);
  });

  const withoutTimes = (state: JobState): JobState => ({ ...state, startedAt: 0, endedAt: 0 });
});

describe('recordFrames', () => {
  it('is undone by replayFrames, for every kind of frame', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wireFrame, { maxLength: 8 }), async (wires) => {
        const frames = wires.map(({ frame }) => frame);
        expect(await played(await recordingOf(frames))).toEqual({ frames, error: undefined });
      }),
      { numRuns: runs(300) },
    );
  });

  it('keeps malformed messages as they are', async () => {
    const frames: Frame[] = [{ _tag: 'Malformed', reason: 'no', size: 3, sample: '00' }];
    expect((await played(await recordingOf(frames))).frames).toEqual(frames);
  });

  it('M6: leaves the bytes of pictures out, and plays as many blank ones', async () => {
    const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52];
    const image = Uint8Array.from({ length: 5_000 }, (_, at) => png[at] ?? 0xab);
    const frames: Frame[] = [
      { _tag: 'Preview', mediaType: 'image/png', image },
      preview('3', image, 'image/png'),
      { _tag: 'Unknown', kind: 'binary', type: 9, bytes: Uint8Array.of(0, 0, 0, 9, 1, 2, 3) },
      { _tag: 'Text', nodeId: '3', text: 'kept' },
    ];
    const text = await recordingOf(frames, { redactMedia: true });
    expect(text.length).toBeLessThan(1_000);
    expect(text).not.toContain('q6ur');
    const blank = Uint8Array.from({ length: 5_000 }, (_, at) => png[at] ?? 0);
    expect((await played(text)).frames).toEqual([
      { ...frames[0], image: blank },
      { ...frames[1], image: blank },
      { ...frames[2], bytes: Uint8Array.of(0, 0, 0, 9, 0, 0, 0) },
      frames[3],
    ]);
  });

  it('ends before it is too large, and leaves the stream alone', async () => {
    const ends: RecordingEnd[] = [];
    const frames = Array.from({ length: 100 }, (_, n) => progress('3', n, 100));
    const lines: string[] = [];
    const recorder = recordFrames((line) => lines.push(line), {
      maxBytes: 2_000,
      onEnd: (end) => ends.push(end),
    });
    expect(await lastValueFrom(from(frames).pipe(recorder, toArray()))).toEqual(frames);
    const text = lines.join('');
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(ends).toEqual([
      { reason: 'full', messages: lines.length - 2, bytes: text.length, maxBytes: 2_000 },
    ]);
    expect(lines.at(-1)).toMatch(/"end":"full"/u);
    expect((await played(text)).frames).toEqual(frames.slice(0, lines.length - 2));
  });

  it('says where it can not be written, and leaves the stream alone', async () => {
    const ends: RecordingEnd[] = [];
    let room = 2;
    const recorder = recordFrames(
      () => {
        if ((room -= 1) < 0) throw new Error('no room');
      },
      { onEnd: (end) => ends.push(end) },
    );
    expect(await lastValueFrom(from([start, success]).pipe(recorder, toArray()))).toHaveLength(2);
    expect(ends).toMatchObject([{ reason: 'failed', messages: 2, error: { _tag: 'Defect' } }]);
  });

  it('refuses a file that can not be opened, and a recorder that is in use', async () => {
    const nowhere = recordFrames(join(folder, 'none', 'x.jsonl'));
    await expect(lastValueFrom(of(start).pipe(nowhere))).rejects.toMatchObject({
      _tag: 'FileSystem',
      code: 'ENOENT',
    });
    expect(() => createClient({ ...scriptedService(), record: nowhere })).toThrow(/ENOENT/u);
    const recorder = recordFrames(() => undefined);
    const client = createClient({ ...scriptedService(), record: recorder });
    expect(() => createClient({ ...scriptedService(), record: recorder })).toThrow(/records already/u);
    await client.close();
  });

  it('is refused as an option where it is no recorder', () => {
    expect(() => createClient({ ...scriptedService(), record: {} as never })).toThrow(/record takes/u);
  });

  it('records a reconnect, and plays the whole job', async () => {
    const lines: string[] = [];
    const faults = [{ kind: 'dropped socket', atMs: 150 }] as const;
    const service = scriptedService({ faults, jobs: [{ endsAtMs: 10_000 }] });
    const client = createClient({ ...service, record: recordFrames((line) => lines.push(line)) });
    await service.clock.until(lastValueFrom(client.run({ '9': { class_type: 'SaveImage', inputs: {} } })));
    await client.close();
    expect(lines.filter((line) => line.includes('"socket":"opened"'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('"socket":"closed"'))).not.toHaveLength(0);
    const job = jobFrom(replayFrames({ text: lines.join('') }, { speed: 'max' }));
    expect((await lastValueFrom(job.states)).phase).toBe('completed');
  });
});

describe('a secret', () => {
  const secret = 'pw-5ecret-Key/7+x=42';
  const needles = needlesOf(secret).map(({ bytes }) => bytes.toString('latin1'));

  it('stands in no recording, in whatever encoding the service quotes it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(spelled(secret), fc.constantFrom(...needles)),
        fc.nat(5),
        fc.nat(5),
        async (quoted, where, pad) => {
          const padded = `${'x'.repeat(pad)} ${quoted} y`;
          const service = scriptedService({ apiKey: secret });
          const lines: string[] = [];
          const client = createClient({ ...service, record: recordFrames((line) => lines.push(line)) });
          client.frames.subscribe();
          await service.clock.advance(100);
          service.send(
            [
              padded,
              JSON.stringify({ type: 'notification', data: { value: padded, [padded]: 1 } }),
              encodeProgressText('3', padded),
              encodePreviewWithMetadata({ node_id: padded }, Uint8Array.of(0xff, 0xd8, 0xff)),
              encodePreview(1, new Uint8Array(Buffer.from(padded))),
              new Uint8Array(Buffer.from(JSON.stringify({ type: 'x', data: padded }))),
            ][where],
          );
          await service.clock.advance(100);
          await client.close();
          const text = lines.join('');
          expect(lines.length).toBeGreaterThan(4);
          const everything = [text, bytesIn(text), textsIn(text)].join('\n');
          for (const form of [...needles, quoted]) expect(everything).not.toContain(form);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('stands in none where it is given to the recorder, and no signed query does', async () => {
    const value = `Saved https://storage.example/a.png?X-Goog-Signature=abc123&name=x "${secret}" /view?to=https%3A%2F%2Fs.example%2Fa%3FX-Amz-Signature%3Ddef456%26b%3D1`;
    const notification: Frame = { _tag: 'Event', type: 'notification', data: { value } };
    const text = await recordingOf([notification], { secrets: [secret] });
    expect(text).toContain('https://storage.example/a.png?[redacted]');
    for (const gone of ['abc123', 'def456', secret]) expect(text).not.toContain(gone);
    const plain: Frame = { _tag: 'Event', type: 'notification', data: { value: '/api/view?filename=a.png' } };
    expect((await played(await recordingOf([plain]))).frames).toEqual([plain]);
  });

  const textsIn = (text: string): string =>
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly text?: string }).text ?? '')
      .join('\n');
  const bytesIn = (text: string): string =>
    [...text.matchAll(/"base64":"([^"]*)"/gu)]
      .map(([, base64]) => Buffer.from(base64!, 'base64').toString('latin1'))
      .join('\n');
});

describe('replayFrames', () => {
  const text = `${head}{"ms":1000,"direction":"in","text":"{\\"type\\":\\"a.b\\",\\"data\\":{}}"}
{"ms":1500,"direction":"out","text":"no"}
{"ms":3000,"direction":"in","base64":"AAAACQ=="}

{"ms":4000,"end":"closed"}
`;

  it.each([
    [1, ['0 a.b', '2000 9', '2000 |']],
    [4, ['0 a.b', '500 9', '500 |']],
    ['max' as const, ['0 a.b', '0 9', '0 |']],
  ])('plays at speed %s', async (speed, expected) => {
    const clock = virtualClock();
    const seen: string[] = [];
    replayFrames({ text }, { speed, scheduler: clock.scheduler }).subscribe({
      next: (frame) => seen.push(`${clock.now()} ${'type' in frame ? frame.type : frame._tag}`),
      complete: () => seen.push(`${clock.now()} |`),
    });
    await clock.advance(10_000);
    expect(seen).toEqual(expected);
  });

  it('stops with its subscriber', async () => {
    const clock = virtualClock();
    replayFrames({ text }, { scheduler: clock.scheduler }).subscribe().unsubscribe();
    expect(clock.pending()).toBe(0);
    await clock.advance(1);
  });

  it('reads a file by its path, a Blob, and a file with a byte order mark', async () => {
    const path = join(folder, 'read.jsonl');
    writeFileSync(path, `\uFEFF${text}`);
    for (const source of [path, new Blob([text]), { text }]) {
      expect(await lastValueFrom(replayFrames(source, { speed: 'max' }).pipe(toArray()))).toHaveLength(2);
    }
    const missing = lastValueFrom(replayFrames(join(folder, 'missing')));
    await expect(missing).rejects.toMatchObject({ _tag: 'FileSystem', code: 'ENOENT' });
    expect(() => replayFrames(path, { speed: 0 })).toThrow(/speed takes/u);
  });

  it('uses the layout of texts that each socket announced', async () => {
    const withPrompt = Buffer.from(encodeProgressText('12', 'hi', 'p1')).toString('base64');
    const without = Buffer.from(encodeProgressText('12', 'hi')).toString('base64');
    const line = (json: object) => `${JSON.stringify({ ms: 1, ...json })}\n`;
    const flags = { type: 'feature_flags', data: { supports_progress_text_metadata: true } };
    const recording = [
      line({ direction: 'in', text: JSON.stringify(flags) }),
      line({ direction: 'in', base64: withPrompt }),
      line({ socket: 'closed', code: 1006 }),
      line({ socket: 'opened' }),
      line({ direction: 'in', base64: without }),
    ].join('');
    const { frames } = await played(head + recording);
    expect(frames.slice(1)).toEqual([
      { _tag: 'Text', nodeId: '12', text: 'hi', promptId: 'p1' },
      { _tag: 'Text', nodeId: '12', text: 'hi' },
    ]);
  });

  it.each<[string, string, number, RegExp]>([
    ['nothing', '', 1, /neither/u],
    ['JSON that is no HAR', '{}', 1, /neither a recording nor a HAR/u],
    ['another version', '{"recording":"promptwire","version":2}\n', 1, /version/u],
    ['a line that was cut', `${head}{"ms":1,"direction":"in","text":"a"}\n{"ms":2,"direc`, 3, /was cut/u],
    ['a line without time', `${head}{"direction":"in","text":"a"}`, 2, /time/u],
    ['another direction', `${head}{"ms":1,"direction":"up","text":"a"}`, 2, /direction/u],
    ['a message without content', `${head}{"ms":1,"direction":"in"}`, 2, /neither a text nor bytes/u],
    ['bytes that are no base64', `${head}{"ms":1,"direction":"in","base64":"A-=="}`, 2, /base64/u],
    [
      'too many bytes left out',
      `${head}{"ms":1,"direction":"in","base64":"","left":1e12}`,
      2,
      /maxMessageBytes/u,
    ],
    ['half a byte left out', `${head}{"ms":1,"direction":"in","base64":"","left":0.5}`, 2, /impossible/u],
    ['an odd malformed message', `${head}{"ms":1,"direction":"in","malformed":{}}`, 2, /malformed/u],
    ['a HAR that was cut', '{\n"log": {\n"entries": [', 3, /was cut/u],
    ['a HAR without messages', '{"log":{"entries":[{}]}}', 1, /without WebSocket messages/u],
    ['a HAR with odd messages', '{"log":{"entries":[\n{"_webSocketMessages":[1]}]}}', 2, /no object/u],
    [
      'a HAR without data',
      '{"log":{"entries":[\n{"_webSocketMessages":[{"opcode":1,"time":1}]}]}}',
      2,
      /time and data/u,
    ],
  ])('says of %s which line is wrong', async (_, source, line, reason) => {
    const { error } = await played(source);
    expect(error).toMatchObject({ _tag: 'InvalidRecording', line });
    expect(String(error)).toMatch(reason);
  });

  it('plays what stands before the wrong line', async () => {
    const { frames, error } = await played(`${text}{`);
    expect([frames.length, isServiceError(error)]).toEqual([2, true]);
  });

  it('never errors with anything else, whatever the text holds', async () => {
    const whole = await recordingOf([start, preview('3'), executed('9', { images: [] }), success]);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.nat(whole.length),
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.json(),
          fc.constantFrom('[[[[', '"', '\n', '{"log":{"entries":['),
        ),
        async (from_, length, put) => {
          const hostile = whole.slice(0, from_) + put + whole.slice(from_ + length);
          const { error } = await played(hostile);
          if (error !== undefined) expect(error).toMatchObject({ _tag: 'InvalidRecording' });
        },
      ),
      { numRuns: runs(500) },
    );
    expect((await played('['.repeat(200_000))).error).toMatchObject({ _tag: 'InvalidRecording' });
    expect((await played(`${head}${'{"ms":'.repeat(200_000)}`)).error).toMatchObject({ line: 2 });
  });

  it('reads the messages of a HAR in the order of their times, of the socket of events alone', async () => {
    const entry = (url: string, ...messages: object[]) => ({
      request: { url },
      _webSocketMessages: messages,
    });
    const text1 = (time: number, type: string) => ({
      type: 'receive',
      time,
      opcode: 1,
      data: `{"type":"${type}","data":{}}`,
    });
    const har = {
      log: {
        entries: [
          {},
          entry('wss://vite.example/', text1(1, 'reload')),
          entry('wss://s.example/ws?clientId=1&token=KEY', text1(2, 'a.one'), text1(4, 'a.three'), {
            type: 'send',
            time: 2.5,
            opcode: 1,
            data: 'x',
          }),
          entry(
            'wss://s.example/ws?clientId=2',
            text1(3, 'a.two'),
            { opcode: 8 },
            {
              type: 'receive',
              time: 5,
              opcode: 2,
              data: 'AAAACQ==',
            },
          ),
        ],
      },
    };
    const { frames, error } = await played(JSON.stringify(har, null, 2));
    expect(error).toBeUndefined();
    expect(frames.map((frame) => 'type' in frame && frame.type)).toEqual(['a.one', 'a.two', 'a.three', 9]);
  });
});

describe('jobFrom', () => {
  const output = { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] };

  it('is the first job that a frame names, or the one that the options name', async () => {
    const other = jobFrames('p2');
    const frames = from([
      start,
      other.start,
      progress('3', 1, 2),
      other.success,
      executed('9', output),
      success,
    ]);
    const first = jobFrom(frames);
    expect(first.promptId).toBe('p1');
    expect(await lastValueFrom(first.states)).toMatchObject({
      promptId: 'p1',
      phase: 'completed',
      outputsComplete: true,
    });
    expect(Object.keys(await toPromise(first.outputs))).toEqual(['9']);
    const second = jobFrom(frames, { promptId: 'p2' });
    expect(await lastValueFrom(second.states)).toMatchObject({ promptId: 'p2', phase: 'completed' });
    expect(await lastValueFrom(second.frames.pipe(toArray()))).toEqual([other.start, other.success]);
    const phases = [];
    for await (const { phase } of first) phases.push(phase);
    expect(phases).toEqual(['completed']);
  });

  it('fails as its frames say, and can not be cancelled', async () => {
    const job = jobFrom(of(start, jobFrames('p1').error({ exceptionType: 'OOMError' })));
    expect(await job.outputs()).toMatchObject({
      left: { _tag: 'JobFailed', failure: { exceptionType: 'OOMError' } },
    });
    expect(await job.cancel()()).toMatchObject({ left: { _tag: 'CancelNotApplied', phase: 'failed' } });
  });

  it('errors where the frames end first, and with what they error with', async () => {
    await expect(lastValueFrom(jobFrom(of(start)).states)).rejects.toMatchObject({ _tag: 'Closed' });
    const problem = new Error('cut');
    const cut = concat(
      of(start),
      throwError(() => problem),
    );
    await expect(lastValueFrom(jobFrom(cut).states)).rejects.toBe(problem);
  });
});
