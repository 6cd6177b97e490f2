import { bodyBudget } from '../../../src/server/gateway/http/body-budget.js';
import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../../../src/server/gateway/http/refusal.js';
import { readBody as readBodyWithin } from '../../../src/server/gateway/http/read-body.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const request = (body: BodyInit | null, headers: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://h/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

const turn = () => Promise.resolve();
const reading = { clock: virtualClock(), hold: bodyBudget(Infinity).open('ann', Infinity), turn };
const readBody = (sent: Request, bytes: number, values = Infinity) =>
  readBodyWithin(sent, { bytes, values, option: 'bodyBytes', textBytes: bytes }, reading);

/** A body in pieces of 10 bytes, and what was done with it. */
const pieces = (count: number) => {
  const seen = { pulls: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.pulls += 1;
        if (seen.pulls > count) controller.close();
        else controller.enqueue(new Uint8Array(10).fill(0x20));
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
};

const refusalOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error instanceof HttpRefusal ? [error.refusal.status, error.refusal.code] : error;
  }
};

const sizeOf = async (body: ReadableStream<Uint8Array> | null): Promise<number> =>
  (await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()).byteLength;

describe('a refusal on its way', () => {
  it('is an error that says what it is', () => {
    const refusal = { status: 404, code: 'none', message: 'None.' };
    const error = new HttpRefusal(refusal);
    expect([String(error), error.refusal]).toEqual(['HttpRefusal: None.', refusal]);
  });
});

describe('a body', () => {
  it.each([
    [20, 'taken'],
    [19, [413, 'payload_too_large']],
  ] as const)(
    'of 20 bytes is by a limit of %i: %j, whether it declares its length or not',
    async (limit, answer) => {
      const whole = (read: () => ReturnType<typeof readBody>) =>
        refusalOf(async () => ((await sizeOf(read().body)) === 20 ? 'taken' : 'cut'));
      const declared = request('x'.repeat(20), { 'content-length': '20' });
      expect(await whole(() => readBody(declared, limit))).toEqual(answer);
      const { body, seen } = pieces(2);
      expect(await whole(() => readBody(request(body), limit))).toEqual(answer);
      expect(seen.cancelled).toBe(limit === 19);
    },
  );

  it('is read one piece for each that is asked for, and let go with its reader', async () => {
    const { body, seen } = pieces(9);
    const reader = readBody(request(body), 1_000).body!.getReader();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.pulls).toBe(0);
    await reader.read();
    expect(seen).toEqual({ pulls: 1, cancelled: false });
    await reader.cancel();
    expect(seen).toEqual({ pulls: 1, cancelled: true });
  });

  it('is none where its length is 0 or it has none', () => {
    expect(readBody(request(null), 9).body).toBeNull();
    expect(readBody(request(pieces(1).body, { 'content-length': '0' }), 9).body).toBeNull();
    expect(readBody(request('x', { 'content-length': '1' }), 9).body).not.toBeNull();
  });

  it('is JSON or a form, or refused as what it is not', async () => {
    expect(await readBody(request('{"a":[1]}'), 99).json()).toEqual({ a: [1] });
    expect(await refusalOf(readBody(request('{'), 99).json)).toEqual([400, 'invalid_request']);
    expect(await refusalOf(readBody(request('{}}'), 2).json)).toEqual([413, 'payload_too_large']);
    const form = new FormData();
    form.set('a', 'b');
    expect([...(await readBody(request(form), 999).form()).entries()]).toEqual([['a', 'b']]);
    expect(await refusalOf(readBody(request('a=b'), 99).form)).toEqual([400, 'invalid_request']);
    // As a server gets it: a request that Node.js itself makes of a form does not stand it that its body is let go.
    const sent = new Response(form);
    const header = { 'content-type': sent.headers.get('content-type') ?? '' };
    const received = request((await sent.blob()).stream(), header);
    expect(await refusalOf(readBody(received, 20).form)).toEqual([413, 'payload_too_large']);
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error('cut') });
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await refusalOf(readBody(request(broken, type), 99).form)).toEqual([400, 'incomplete_body']);
  });

  it.each(['json', 'form', 'blob'] as const)(
    'T3 that its visitor breaks off is refused as such: %s',
    async (how) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"workflow": ')),
        pull: (controller) => controller.error(new Error('aborted')),
      });
      const sent = request(body, { 'content-type': 'multipart/form-data; boundary=x' });
      expect(await refusalOf(() => readBody(sent, 999)[how]())).toEqual([400, 'incomplete_body']);
    },
  );

  it('T1 is refused by the first piece of it that is nested too deep or has too many values', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}18446744073709551615${'}'.repeat(levels)}`;
    expect(await readBody(request(deep(64)), 99_999).json()).toBeTypeOf('object');
    for (const levels of [65, 3_000, 100_000])
      expect(await refusalOf(readBody(request(deep(levels)), 999_999).json)).toEqual([
        400,
        'invalid_request',
      ]);
    const told = await readBody(request(deep(3_000)), 99_999)
      .json()
      .catch((error: unknown) => error);
    expect((told as HttpRefusal).message).toBe('The body is nested deeper than 64 levels.');
    const many = await readBody(request('[{},{},{}]'), 99, 6)
      .json()
      .catch((error: unknown) => error);
    expect((many as HttpRefusal).refusal).toMatchObject({
      status: 413,
      message: 'The body may have at most 6 values (limits.bodyValues of the gateway).',
    });
    expect(await readBody(request('[{},{},{}]'), 99, 7).json()).toEqual([{}, {}, {}]);
  });

  it.each(['as a text', 'as a file'])(
    'T1 whose field is JSON has the bounds of a body of JSON there as well: %s',
    async (how) => {
      const limit = { bytes: 99_999, values: 70, option: 'uploadBytes', textBytes: 4_000 } as const;
      const read = (text: string) => {
        const { field } = readBodyWithin(request(null), limit, reading);
        return refusalOf(() => field('workflow', how === 'as a text' ? text : new Blob([text])));
      };
      expect(await read('{"a":[18446744073709551615]}')).toEqual({ a: [18_446_744_073_709_551_615n] });
      expect(await read(`[${'{},'.repeat(70)}{}]`)).toEqual([413, 'payload_too_large']);
      expect(await read('['.repeat(65))).toEqual([400, 'invalid_request']);
      expect(await read('{')).toEqual([400, 'invalid_request']);
      expect(await read(`"${'x'.repeat(3_998)}"`)).toHaveLength(3_998);
      expect(await read(`"${'x'.repeat(3_999)}"`)).toEqual([413, 'payload_too_large']);
      const { field } = readBodyWithin(request(null), limit, reading);
      await expect(field('workflow', '{')).rejects.toThrow('The field `workflow` is not JSON.');
    },
  );

  it('T1 is refused for a number of so many digits that reading it takes long', async () => {
    const number = (digits: number) => readBody(request(`[12,${'7'.repeat(digits)}]`), 99_999).json();
    expect(await number(1_000)).toEqual([12, BigInt('7'.repeat(1_000))]);
    await expect(number(1_001)).rejects.toThrow('The body has a number of more than 1000 digits.');
    expect(await readBody(request(`"${'7'.repeat(1_001)}"`), 99_999).json()).toHaveLength(1_001);
  });

  it.each([
    ...['[1e400]', '[0,{"a":-1E+309}]', `[${'7'.repeat(400)}.5]`, '18e307'],
    ...[`{"18446744073709551615":[18446744073709551615,[9e999]]}`],
  ])('T5 is refused for a number that would be written as null: %s', async (text) => {
    await expect(readBody(request(text), 99_999).json()).rejects.toThrow(
      'The body has a number beyond 1.8e308, which would be written as null.',
    );
    expect(await refusalOf(readBody(request(text), 99_999).json)).toEqual([400, 'invalid_request']);
  });

  it('T5 has the other numbers that doubles hold, and texts that look like more', async () => {
    const text = '[1e308,1e-400,-0,12345678901234567890.5,"1e400",{"1e999":17e307}]';
    expect(await readBody(request(text), 99_999).json()).toEqual(JSON.parse(text));
  });

  it('T5 is looked through for such numbers however many values an operator lets it have', async () => {
    const limit = { bytes: 1e7, values: 1e6, option: 'bodyBytes', textBytes: 1e7 } as const;
    const text = `[${'0,'.repeat(130_000)}0]`;
    expect(await readBodyWithin(request(text), limit, reading).json()).toHaveLength(130_001);
  });

  it('T3 counts against what its caller may hold, as it comes', async () => {
    const hold = bodyBudget(Infinity).open('ann', 25);
    const limit = { bytes: 99, values: 9, option: 'bodyBytes', textBytes: 9 } as const;
    const { body, seen } = pieces(9);
    const read = readBodyWithin(request(body), limit, { ...reading, hold });
    expect(await refusalOf(read.json)).toEqual([429, 'too_many_bytes']);
    expect(seen).toEqual({ pulls: 3, cancelled: true });
  });

  it.each(['bodyBytes', 'uploadBytes'] as const)(
    'N1 that is too large is told the bound and its option: %s',
    async (option) => {
      const limit = { bytes: 19, option, values: 9, textBytes: 9 };
      const read = readBodyWithin(request('x'.repeat(20)), limit, reading);
      const told = await read.json().catch((error: unknown) => error);
      expect(told).toBeInstanceOf(HttpRefusal);
      expect((told as HttpRefusal).refusal.message).toBe(
        `The body may have at most 19 bytes (limits.${option} of the gateway).`,
      );
    },
  );
});

it('T3 parses a large body in a turn of its own, with turns for others before and after it', async () => {
  const clock = virtualClock();
  const steps: string[] = [];
  const counted: typeof clock = {
    ...clock,
    after: (ms, work) =>
      clock.after(ms, () => {
        steps.push('turn');
        work();
      }),
  };
  const text = JSON.stringify({ text: 'x'.repeat(300_000), large: [] });
  const { json } = readBodyWithin(
    request(text),
    { bytes: 1e6, values: 9, option: 'bodyBytes', textBytes: 9 },
    {
      ...reading,
      clock: counted,
    },
  );
  const value = json().then((read) => {
    steps.push('value');
    return read;
  });
  expect(await clock.until(value)).toEqual(JSON.parse(text));
  expect(steps).toEqual(['turn', 'turn', 'value']);
});
