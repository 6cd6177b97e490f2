import { expect, it } from 'vitest';
import { jsonList } from '../../../src/server/gateway/http/json-list.js';
import { virtualClock } from '../../../src/testing.js';

/** Nothing small is counted. */
const refused = (): Promise<void> => Promise.reject(new Error('refused'));

const list = (elements: readonly unknown[], more?: object) => ({
  ...{ name: 'jobs', elements, shown: (element: unknown) => element },
  ...(more !== undefined && { more }),
});

it.each([
  [[], undefined, '{"jobs":[]}'],
  [[], { next: 'a' }, '{"jobs":[],"next":"a"}'],
  [[1, { a: 2n ** 60n }], {}, '{"jobs":[1,{"a":1152921504606846976}]}'],
  [['a', 'ä'], { next: undefined, more: true }, '{"jobs":["a","ä"],"more":true}'],
])('writes a list as JSON does (%#)', async (elements, more, text) => {
  const answer = await jsonList(list(elements, more), virtualClock(), { work: refused });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-length')).toBe(String(new TextEncoder().encode(text).length));
  expect(await answer.text()).toBe(text);
});

it('T3 gives others their turns between large elements', async () => {
  const clock = virtualClock();
  const large = 'x'.repeat(300 * 1024);
  const shown: number[] = [];
  const answer = jsonList(
    { name: 'jobs', elements: [0, 1, 2], shown: (at) => (shown.push(at), large) },
    clock,
    { work: () => Promise.resolve() },
  );
  expect(shown).toEqual([0]);
  await clock.advance(0);
  expect(shown).toEqual([0, 1, 2]);
  expect(await (await answer).json()).toEqual({ jobs: [large, large, large] });
});

it('T4 writes no more of a large list than its caller may have', async () => {
  const clock = virtualClock();
  const shown: number[] = [];
  let left = 700 * 1024;
  const answer = jsonList(
    {
      ...{ name: 'jobs', elements: [0, 1, 2, 3] },
      shown: (at) => (shown.push(at), 'x'.repeat(300 * 1024)),
    },
    clock,
    { work: (bytes) => ((left -= bytes) < 0 ? refused() : Promise.resolve()) },
  );
  const said = expect(answer).rejects.toThrow('refused');
  await clock.advance(0);
  await said;
  expect(shown).toEqual([0, 1, 2]);
});
