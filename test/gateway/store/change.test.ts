import fc from 'fast-check';
import { expect, it } from 'vitest';
import { below, isIn, keyOf, partsOf } from '../../../src/server/gateway/store/keys.js';
import { changeOf } from '../../../src/server/gateway/store/change.js';
import { getMany, pagesOf } from '../../../src/server/gateway/store/view.js';
import { MemoryLevel } from 'memory-level';
import { storedText } from '../../../src/server/gateway/store/stored-value.js';
import { viewOf, writeTo } from '../../../src/server/gateway/store/store.js';
import { runs } from '../../helpers/runs.js';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const step = fc.record({ key, value: fc.option(fc.nat(9), { nil: undefined }) });
/** One bound at each end, as the database takes them. */
const range = fc
  .tuple(
    fc.oneof(fc.record({ gte: key }), fc.record({ gt: key }), fc.constant({})),
    fc.oneof(fc.record({ lte: key }), fc.record({ lt: key }), fc.constant({})),
    fc.boolean(),
  )
  .map(([from, to, reverse]) => ({ ...from, ...to, reverse }));

it('shows what would be there once it is written, in any range and page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 7 }),
      fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 3 }),
      fc.array(fc.tuple(range, fc.nat(8)), { minLength: 1, maxLength: 4 }),
      async (stored, layers, pages) => {
        const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
        await level.open();
        const view = viewOf(level, () => undefined);
        let top = changeOf(view);
        for (const { key: name, value } of stored) if (value !== undefined) top.put(name, value);
        await writeTo(level, top.changes, false);
        const all: Map<string, unknown> = new Map(
          stored.flatMap(({ key: name, value }) => (value === undefined ? [] : [[name, value] as const])),
        );
        top = changeOf(view);
        for (const layer of layers) {
          for (const { key: name, value } of layer) {
            if (value === undefined) {
              top.remove(name);
              all.delete(name);
            } else {
              top.put(name, value);
              all.set(name, value);
            }
          }
          top = changeOf(top);
        }
        for (const [asked, limit] of pages) {
          const names = [...all.keys()].filter((name) => isIn(name, asked)).sort();
          const expected = (asked.reverse ? names.reverse() : names).slice(0, limit);
          expect((await top.page({ ...asked, limit })).map(([name]) => name)).toEqual(expected);
        }
        const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
        expect(await getMany(top, names)).toEqual(names.map((name) => all.get(name)));
        await level.close();
      },
    ),
    { numRuns: runs(200) },
  );
});

it('asks what is below it for what it does not know itself, and for nothing where it knows all', async () => {
  const asked: (readonly string[])[] = [];
  const change = changeOf({
    texts: (keys) => {
      asked.push(keys);
      return Promise.resolve(keys.map((name) => storedText(name, `below ${name}`)));
    },
    page: () => Promise.resolve([]),
    damaged: () => undefined,
  });
  change.put('a', 'own');
  change.remove('b');
  expect(await getMany(change, ['a', 'c', 'b'])).toEqual(['own', 'below c', undefined]);
  expect(await getMany(change, ['b', 'a'])).toEqual([undefined, 'own']);
  expect(asked).toEqual([['c']]);
});

it('reads a range page by page, forwards and backwards', async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const keys = Array.from({ length: 1_234 }, (_, nth) => keyOf('event', 'o', nth));
  await level.batch(keys.map((name) => ({ type: 'put', key: name, value: storedText(name, 1) })));
  await level.put(keyOf('event', 'p', 1), '');
  for (const reverse of [false, true]) {
    const read: string[] = [];
    for await (const page of pagesOf(
      viewOf(level, () => undefined),
      { ...below('event', 'o'), reverse },
    ))
      read.push(...page.map(([name]) => name));
    expect(read).toEqual(reverse ? keys.toReversed() : keys);
  }
});

it('asks once for a range that is smaller than a page, and once more for one that fills it', async () => {
  const pagesFor = async (entries: number): Promise<readonly number[]> => {
    let asked = 0;
    const page = ({ limit }: { readonly limit: number }) => {
      asked += 1;
      const left = entries - (asked - 1) * limit;
      return Promise.resolve(
        Array.from({ length: Math.min(left, limit) }, (_, at) => [`k${asked}-${at}`, ''] as const),
      );
    };
    const sizes: number[] = [];
    const view = { page, texts: () => Promise.resolve([]), damaged: () => undefined };
    for await (const one of pagesOf(view, {})) sizes.push(one.length);
    return [asked, ...sizes];
  };
  expect([await pagesFor(0), await pagesFor(3), await pagesFor(500), await pagesFor(501)]).toEqual([
    ...[[1], [1, 3], [2, 500], [2, 500, 1]],
  ]);
});

it('keeps the parts of keys apart, whatever texts they are, and numbers in their order', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('!', '"', '\\', '', '\ud800', '\udc00', 'a!b', '\\u0021'),
  );
  fc.assert(
    fc.property(part, part, part, part, (a, b, c, d) => {
      expect(partsOf(keyOf('job-of', a, b))).toEqual([a, b]);
      expect(keyOf('job-of', a, b) === keyOf('job-of', c, d)).toBe(a === c && b === d);
      expect(isIn(keyOf('job-of', a, b, 1), below('job-of', c, d))).toBe(a === c && b === d);
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (one, other) => {
      expect(keyOf('event', 'o', one) < keyOf('event', 'o', other)).toBe(one < other);
    }),
  );
  expect(keyOf('job-expiry', 1.5)).toBe(keyOf('job-expiry', 2));
  expect([partsOf('event!a"b'), partsOf('event!\\u0041')]).toEqual([undefined, undefined]);
});
