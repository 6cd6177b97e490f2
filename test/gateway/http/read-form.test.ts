import { expect, it } from 'vitest';
import fc from 'fast-check';
import { HttpRefusal } from '../../../src/server/gateway/http/refusal.js';
import { readForm as readFormBy } from '../../../src/server/gateway/http/read-form.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { workingClock } from '../../helpers/working-clock.js';

/** Text as bytes that come in pieces of this length. */
const inPieces = (bytes: Uint8Array, length: number): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += length)));
      else controller.close();
    },
  });
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const readForm = (
  body: ReadableStream<Uint8Array>,
  contentType: string,
  limit: { readonly textBytes: number },
) => readFormBy(body, contentType, limit, realClock);

const read = (text: string, boundary = 'b', textBytes = 1e9) =>
  readForm(inPieces(bytesOf(text), 7), `multipart/form-data; boundary=${boundary}`, { textBytes });

/** What a form has, with the bytes of its files. */
const contentOf = async (form: FormData) =>
  Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]],
    ),
  );

const refusalOf = async (form: Promise<FormData>): Promise<unknown> =>
  form.catch((error: unknown) =>
    error instanceof HttpRefusal ? [error.refusal.status, error.refusal.message] : error,
  );

it('law: reads what the platform writes, and as the platform reads it, in whatever pieces it comes', async () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('\r', '\n', '-', '"', '%', 'é', 'b', ';', '=') }),
    fc.string(),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    text.map((one) => bytesOf(one)),
  );
  const part = fc.oneof(
    fc.record({ name: text, value: text }),
    fc.record({
      name: text,
      bytes,
      filename: text,
      type: fc.constantFrom('', 'image/png', 'text/plain;a=b'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 300 }), async (parts, length) => {
      const form = new FormData();
      for (const one of parts)
        if ('value' in one) form.append(one.name, one.value);
        else form.append(one.name, new File([one.bytes as Uint8Array<ArrayBuffer>], one.filename, one));
      const sent = new Response(form);
      const contentType = sent.headers.get('content-type') ?? '';
      const whole = new Uint8Array(await sent.arrayBuffer());
      const ofPlatform = await new Response(whole, { headers: { 'content-type': contentType } }).formData();
      const ours = await readForm(inPieces(whole, length), contentType, { textBytes: 1e9 });
      expect(await contentOf(ours)).toEqual(await contentOf(ofPlatform));
    }),
  );
});

const disposition = 'Content-Disposition: form-data; name="a"';

it('reads forms as other programs write them', async () => {
  const content = async (text: string, boundary?: string) => contentOf(await read(text, boundary));
  expect(await content(`--b\r\n${disposition}\r\n\r\nx\r\n--b--`)).toEqual([['a', 'x']]);
  expect(await content(`before\r\n--b  \r\n${disposition}\r\n\r\nx\r\n--b--\r\nafter`)).toEqual([['a', 'x']]);
  expect(await content(`--b c\r\n${disposition}\r\n\r\nx\r\n--b c--`, '"b c"')).toEqual([['a', 'x']]);
  expect(
    await content(
      `--b\r\ncontent-disposition: form-data; name=a; filename*=utf-8''%c3%a9.png\r\n\r\nx\r\n--b--`,
    ),
  ).toEqual([['a', 'é.png', 'text/plain', [120]]]);
  expect(await content('--b--')).toEqual([]);
});

it.each([
  ['nothing', ''],
  ['no last boundary', `--b\r\n${disposition}\r\n\r\nx`],
  ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
  ['a part without a head', '--b\r\n\r\nx\r\n--b--'],
  ['another kind of part', '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--b--'],
  ['a boundary that goes on', `--bc\r\n${disposition}\r\n\r\nx\r\n--b--`],
  [
    'a name in broken code',
    "--b\r\nContent-Disposition: form-data; name=a; filename*=utf-8''%ff\r\n\r\nx\r\n--b--",
  ],
  ['a head without end', `--b\r\n${'x'.repeat(20_000)}`],
])('refuses what is no form: %s', async (_, text) => {
  expect(await refusalOf(read(text))).toEqual([400, 'The body is not a form.']);
});

it('refuses a body of another type, and a boundary that is none', async () => {
  const whole = bytesOf('--b--');
  for (const contentType of ['', 'application/json', 'multipart/form-data', 'multipart/form-data; boundary='])
    expect(await refusalOf(readForm(inPieces(whole, 9), contentType, { textBytes: 9 }))).toEqual([
      ...[400, 'The body is not a form.'],
    ]);
  // A form without a boundary is none, whatever stands in it.
  for (const contentType of ['multipart/form-data; charset=utf-8', 'text/plain; boundary=undefined'])
    expect(
      await refusalOf(readForm(inPieces(bytesOf('--undefined--'), 9), contentType, { textBytes: 9 })),
    ).toEqual([400, 'The body is not a form.']);
  const long = 'b'.repeat(71);
  expect(await refusalOf(read(`--${long}--`, long))).toEqual([400, 'The body is not a form.']);
});

it('T1 a form of more fields than any caller has, or of more text than a body of JSON, is refused', async () => {
  const form = (count: number) => `${`--b\r\n${disposition}\r\n\r\nxyz\r\n`.repeat(count)}--b--`;
  expect([...(await read(form(1_000)))]).toHaveLength(1_000);
  expect(await refusalOf(read(form(1_001)))).toEqual([413, 'A form may have at most 1000 fields and files.']);
  expect([...(await read(form(3), 'b', 9))]).toHaveLength(3);
  expect(await refusalOf(read(form(3), 'b', 8))).toEqual([
    413,
    'The fields of a form may have at most 8 bytes beside its files (limits.bodyBytes of the gateway).',
  ]);
});

it('reads pieces that have arrived together in slices, with turns of the event loop between them', async () => {
  const { clock, work, turns } = workingClock();
  const now = (): number => {
    work(5);
    return clock.now();
  };
  const text = `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(10)}\r\n--b--\r\n`;
  const form = await readFormBy(
    inPieces(bytesOf(text), 10),
    'multipart/form-data; boundary=b',
    { textBytes: 99 },
    { ...clock, now },
  );
  expect(form.get('a')).toBe('x'.repeat(10));
  // Each look at the clock is 5 ms later; a slice has 15.
  expect(turns.length).toBeGreaterThan(1);
});
