import { canary } from '../helpers/http-connection.js';
import type { Client } from '../../src/client/client-types.js';
import { createClientOn } from '../../src/client/client.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import {
  encodeBinary,
  encodeMessage,
  encodeMessageLikePython,
  encodePreviewWithMetadata,
  encodeProgressText,
} from '../helpers/encode-frame.js';
import { encodingsOf, leaksIn } from '../helpers/canary.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import fc from 'fast-check';
import { fileAccess } from '../../src/core/files/file-access.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { inspect } from 'node:util';
import { lastValueFrom, toArray } from 'rxjs';
import { spelled } from '../helpers/spelled.js';
import { runs, some } from '../helpers/runs.js';

const options = { baseUrl: 'https://service.example', apiKey: canary };
const encodings = encodingsOf(canary);
const picture = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);

const expectHidden = (value: unknown, key = canary): void => {
  const shown = inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null });
  expect(leaksIn(`${shown}\n${JSON.stringify(value)}`, key), shown.slice(0, 2000)).toEqual([]);
};

/** The same value with the words behind every text and name in it. */
const echoing = (value: unknown, words: string): unknown => {
  if (typeof value === 'string') return `${value} said ${words}`;
  if (Array.isArray(value)) return value.map((item) => echoing(item, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'prompt_id' ? member : echoing(member, words),
    ]),
  );
};

/** What a client makes of these messages; `prepare` is done before they come. */
const framesOf = (
  messages: readonly (string | Uint8Array)[],
  prepare: (client: Client) => void = () => undefined,
): readonly Frame[] => {
  const platform = fakePlatform();
  const client = createClientOn(platform, options);
  prepare(client);
  const seen: Frame[] = [];
  const subscription = client.frames.subscribe((frame) => seen.push(frame));
  const socket = platform.sockets.at(-1)!;
  socket.open();
  for (const message of messages) {
    socket.receive(typeof message === 'string' ? message : Uint8Array.from(message).buffer);
  }
  subscription.unsubscribe();
  return seen;
};

describe('a key that the service gives back in frames', () => {
  it.each(encodings)('H15: (%s) is in no text or name of an event', (_, form) => {
    const messages = eventFixtures.flatMap(({ type, data }) => {
      const told = { ...(echoing(data, form) as object), more: { [form]: [form] } };
      return [encodeMessage(type, told), encodeMessageLikePython(type, told)];
    });
    const seen = framesOf([...messages, new TextEncoder().encode(messages[0])]);
    expect(seen).toHaveLength(messages.length + 1);
    expect(seen.every(({ _tag }) => _tag === 'Event')).toBe(true);
    for (const frame of seen) expectHidden(frame);
  });

  it.each(encodings)(
    'H15: (%s) is in no progress text, metadata of a picture or unknown message',
    (_, form) => {
      const seen = framesOf([
        encodeProgressText('1', `50 % of ${form}`),
        encodeProgressText(`1 ${form}`, 'text'),
        encodePreviewWithMetadata(
          { node_id: form, prompt_id: 'p', display_node_id: '1', [form]: form },
          picture,
        ),
        JSON.stringify({ type: 'brand_new', [form]: 1, data: { prompt_id: 'p', deep: [form] } }),
        JSON.stringify({ type: form }),
      ]);
      expect(seen.map(({ _tag }) => _tag)).toEqual(['Text', 'Text', 'Preview', 'Unknown', 'Unknown']);
      for (const frame of seen) expectHidden(frame);
      expect(seen[2]).toMatchObject({ image: picture, mediaType: 'image/jpeg', promptId: 'p' });
    },
  );

  it('H15: law: is in no frame, however each of its characters is spelled, in text or in bytes', () => {
    fc.assert(
      fc.property(spelled(canary), (words) => {
        const data = { prompt_id: 'p', node: '1', output: { text: [words] } };
        const seen = framesOf([encodeMessage('executed', data), encodeProgressText('1', words)]);
        expect(seen).toMatchObject([{ data: { output: { text: ['[redacted]'] } } }, { text: '[redacted]' }]);
      }),
      { numRuns: runs(50) },
    );
  });

  it('H13: is hidden like the first where setKey gave it, and the first still is', () => {
    const second = 'Jx4Qw9Lm2Tz7Vb5Rk8Np';
    const [frame, text] = framesOf(
      [
        encodeMessage('executed', { prompt_id: 'p', node: '1', output: { text: [second, canary] } }),
        encodeProgressText('1', second),
      ],
      (client) => client.setKey(second),
    );
    expect(frame).toMatchObject({ data: { output: { text: ['[redacted]', '[redacted]'] } } });
    expect(text).toMatchObject({ text: '[redacted]' });
  });

  it('H16: leaves frames as they are where no text holds the key, with any other escapes in them', () => {
    const output = { images: [{ filename: 'ComfyUI-猫_50%_\\n00001_.png', subfolder: '', type: 'output' }] };
    const bytes = encodeBinary(9, new TextEncoder().encode(canary));
    const messages = [
      ...eventFixtures.map(({ type, data }) => encodeMessageLikePython(type, data)),
      encodeMessageLikePython('executed', { prompt_id: 'p', node: '9', output }),
      bytes,
    ];
    const seen = framesOf(messages);
    expect(seen.slice(0, -2)).toEqual(
      eventFixtures.map(
        ({ type, data }) => expect.objectContaining({ _tag: 'Event', type, data }) as unknown,
      ),
    );
    expect(seen.at(-2)).toMatchObject({ data: { output } });
    expect(seen.at(-1)).toMatchObject({ _tag: 'Unknown', bytes });
  });

  it('H16: leaves frames as they are for a key that may be a word', () => {
    const platform = fakePlatform();
    const client = createClientOn(platform, { ...options, apiKey: 'output' });
    const seen: Frame[] = [];
    const subscription = client.frames.subscribe((frame) => seen.push(frame));
    platform.sockets[0]!.open();
    const output = { images: [{ filename: 'output.png', subfolder: '', type: 'output' }] };
    platform.sockets[0]!.receive({ type: 'executed', data: { prompt_id: 'p', node: '9', output } });
    expect(seen).toMatchObject([{ data: { output } }]);
    subscription.unsubscribe();
  });
});

describe('a key that the service gives back in answers', () => {
  const record = (form: string) => ({
    outputs: { 9: { images: [{ filename: `${form}.png`, subfolder: form, type: 'output' }], text: [form] } },
    status: { status_str: 'success', completed: true, messages: [['execution_start', { said: form }]] },
    prompt: [1, 'job', { 1: { class_type: 'X', inputs: { key: form } } }],
    meta: { [form]: form },
  });
  const nodeErrors = (form: string) => ({
    1: {
      class_type: form,
      dependent_outputs: [form],
      errors: [{ type: form, message: form, details: form, extra_info: { [form]: form } }],
    },
  });
  const classes = (form: string, count: number, description = '') =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        at === 0 ? `X${form}` : `X${at}`,
        {
          input: { required: { a: [[at === count - 1 ? form : 'a', 'b', 'c', 'd'], {}] } },
          output: [],
          output_node: false,
          name: 'X',
          description,
          category: at === 1 ? form : 'c',
        },
      ]),
    );

  /** Two mebibytes of text, of which each is a piece, in few objects. */
  const readInPieces = [64, ' so.'.repeat(8_192)] as const;

  type Answer = readonly [(client: Client) => () => Promise<E.Either<unknown, unknown>>, unknown];

  it.each(encodings)('H17: (%s) is in no answer of any call', async (_, form) => {
    const isReadInPieces = some(encodings, { every: 3, turn: 0 }).some(([, other]) => other === form);
    const inPieces: readonly Answer[] = isReadInPieces
      ? [[(client) => client.rest.objectInfo(), classes(form, ...readInPieces)]]
      : [];
    const answers: readonly Answer[] = [
      [(client) => client.rest.history('job'), { job: record(form) }],
      [
        (client) => client.rest.jobStatus('job'),
        { id: 'job', status: 'completed', [form]: form, outputs: record(form).outputs },
      ],
      [
        (client) => client.rest.submit({ 1: { class_type: 'X', inputs: {} } }),
        { prompt_id: 'job', number: 1, node_errors: nodeErrors(form) },
      ],
      [(client) => client.rest.objectInfo(), classes(form, 3)],
      ...inPieces,
      [
        (client) => client.rest.uploadImage({ content: new Uint8Array(1), filename: 'a.png' }),
        { name: `${form}.png`, subfolder: form, type: 'input' },
      ],
    ];
    for (const [call, body] of answers) {
      const platform = fakePlatform((): FakeAnswer => ({ body }));
      const client = createClientOn(platform, options, fileAccess);
      const running = call(client)();
      await platform.clock.advance(1_000);
      const answer = await running;
      expect(E.isRight(answer), inspect(answer)).toBe(true);
      expectHidden(answer);
      await client.close();
    }
  });

  it('H17: is in no class of a list that is so long that it is read in pieces', async () => {
    const body = classes(canary, ...readInPieces);
    const platform = fakePlatform((): FakeAnswer => ({ body }));
    const running = createClientOn(platform, options).rest.objectInfo()();
    let answer: E.Either<unknown, unknown> | undefined;
    void running.then((told) => (answer = told));
    while (answer === undefined) await platform.clock.advance(1);
    expect(Object.keys((answer as E.Right<object>).right)).toHaveLength(readInPieces[0]);
    const text = JSON.stringify(answer);
    expect(text.split('[redacted]')).toHaveLength(4);
    expect(text).not.toContain(canary);
  });

  it('H13: is hidden like the first where setKey gave it', async () => {
    const second = 'Jx4Qw9Lm2Tz7Vb5Rk8Np';
    const platform = fakePlatform((): FakeAnswer => ({ body: { job: record(`${second} ${canary}`) } }));
    const client = createClientOn(platform, options, fileAccess);
    client.setKey(second);
    const history = await client.rest.history('job')();
    expect(E.isRight(history)).toBe(true);
    expectHidden(history, second);
    expectHidden(history);
    const refusing = createClientOn(
      fakePlatform((): FakeAnswer => ({ status: 400, body: `no ${second}` })),
      options,
    );
    refusing.setKey(second);
    const refused = await refusing.rest.queue()();
    expect(refused).toMatchObject({ left: { sample: 'no [redacted]' } });
  });

  it('H16: names of files stay as they are where they do not hold the key', async () => {
    const images = [{ filename: 'ComfyUI-canary_01%20\\猫.png', subfolder: 'a/b', type: 'output' }];
    const platform = fakePlatform((): FakeAnswer => ({
      body: { job: { ...record(canary), outputs: { 9: { images } } } },
    }));
    const history = await createClientOn(platform, options).rest.history('job')();
    expect(history).toMatchObject({ right: { outputs: { 9: { images } } } });
  });
});

describe('a key that the service gives back in the life of a job', () => {
  it.each(encodings)('H15: (%s) is in no state, frame or output of it', async (_, form) => {
    const outputs = { 9: { images: [{ filename: `a-${form}.png`, subfolder: '', type: 'output' }] } };
    const platform = fakePlatform(({ method, url }): FakeAnswer => {
      if (method === 'POST') return { body: { prompt_id: 'job', number: 1, node_errors: {} } };
      if (url.includes('history')) {
        return {
          body: { job: { outputs, status: { status_str: 'success', completed: true, messages: [] } } },
        };
      }
      return { body: { id: 'job', status: 'completed', outputs } };
    });
    const client = createClientOn(platform, options, fileAccess);
    const running = lastValueFrom(client.run({ 9: { class_type: 'X', inputs: {} } }).pipe(toArray()));
    await platform.clock.advance(0);
    const socket = platform.sockets[0]!;
    socket.open();
    await platform.clock.advance(0);
    const told = (type: string, data: object): void =>
      socket.receive({ type, data: { prompt_id: 'job', ...data } });
    told('execution_start', { timestamp: 1 });
    told('executing', { node: '9', display_node: form });
    told('progress_state', {
      nodes: { [form]: { value: 1, max: 2, state: 'running', node_id: form, display_node_id: form } },
    });
    socket.receive(Uint8Array.from(encodeProgressText('9', `says ${form}`)).buffer);
    told('executed', { node: '9', display_node: '9', output: outputs[9] });
    told('execution_success', { timestamp: 2 });
    await platform.clock.advance(60_000);
    const states = await running;
    expect(states.at(-1)).toMatchObject({ phase: 'completed' });
    expect(states.length).toBeGreaterThan(4);
    for (const state of states) expectHidden(state);
    await client.close();
  });
});
