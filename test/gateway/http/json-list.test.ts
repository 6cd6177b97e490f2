import { expect, it } from 'vitest';
import { jsonList } from '../../../src/server/gateway/http/json-list.js';
import { virtualClock } from '../../../src/testing.js';

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
  const answer = await jsonList(list(elements, more), virtualClock());
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
  );
  expect(shown).toEqual([0]);
  await clock.advance(0);
  expect(shown).toEqual([0, 1, 2]);
  expect(await (await answer).json()).toEqual({ jobs: [large, large, large] });
});
