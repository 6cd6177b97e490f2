import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { expect, it } from 'vitest';
import { MemoryLevel } from 'memory-level';
import { storedText } from '../../../../src/server/gateway/store/stored-value.js';
import { storeOf } from '../../../../src/server/gateway/store/store.js';
import { templateStoreIn } from '../../../../src/server/gateway/store/template-store.js';

/** A store of three templates of two owners, and what a check of it tells. */
const filled = async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const check = async (all: boolean, repair = false): Promise<readonly string[]> => {
    const told: string[] = [];
    await checkStore(level, { now: 1, all, repair, tell: (message) => told.push(message) });
    return told;
  };
  await check(false, true);
  const templates = templateStoreIn(storeOf(level));
  const share = { maxTemplates: 9, maxSize: 10_000 };
  for (const [owner, name] of [
    ['alice', 'a'],
    ['alice', 'b'],
    ['bob', 'a'],
  ] as const)
    await templates.put(
      {
        ...{ owner, name, inputs: {}, jsonSchema: {}, createdAt: 1, updatedAt: 1 },
        workflow: { 1: { class_type: 'A', inputs: {} } },
      },
      share,
    );
  const namesOf = async (owner: string) => (await templates.list(owner)).map(({ name }) => name);
  return { level, check, templates, namesOf, entries: () => level.iterator().all() };
};

const lost = (key: string): string => `The entry ${key} has lost the other part of its template.`;
const wrongTotal = 'The value total!templates was wrong: it follows from others.';

it('templates that are whole are left as they are, whether their workflows are read or not', async () => {
  const { check, entries } = await filled();
  const whole = await entries();
  expect([await check(false, true), await check(true, true)]).toEqual([[], []]);
  expect(await entries()).toEqual(whole);
});

it.each(['missing', 'damaged'])(
  'a template whose workflow is %s goes, where workflows are read, and the total with it',
  async (how) => {
    const { level, check, templates, namesOf } = await filled();
    const body = 'template-body!alice!a';
    if (how === 'missing') await level.del(body);
    else await level.put(body, 'no value');
    expect(await check(false)).toEqual([]);
    const told = await check(true);
    expect(told.slice(-2)).toEqual([lost('template!alice!a'), wrongTotal]);
    expect(told.includes(`The entry ${body} can't be read.`)).toBe(how === 'damaged');
    expect(await namesOf('alice')).toEqual(['a', 'b']);
    await check(true, true);
    expect([await namesOf('alice'), await namesOf('bob'), await check(true)]).toEqual([['b'], ['a'], []]);
    // What went takes no room.
    const smaller = templateStoreIn(storeOf(level), { maxTemplates: 3 });
    const again = { ...(await templates.get('bob', 'a'))!, owner: 'alice' };
    expect(await smaller.put(again, { maxTemplates: 9, maxSize: 10_000 })).toEqual({
      ...{ _tag: 'put', isNew: true },
    });
  },
);

it('a workflow whose template is gone goes as well, where workflows are read', async () => {
  const { level, check, entries } = await filled();
  await level.del('template!bob!a');
  expect(await check(false)).toEqual([wrongTotal]);
  expect(await check(true)).toEqual([lost('template-body!bob!a'), wrongTotal]);
  await check(true, true);
  expect((await entries()).filter(([key]) => key.includes('bob'))).toEqual([]);
  expect(await check(true)).toEqual([]);
});

it('the total is made anew where it is wrong, or missing', async () => {
  const { level, check } = await filled();
  const total = await level.get('total!templates');
  await level.put('total!templates', storedText('total!templates', { templates: 9, size: 9 }));
  expect(await check(false, true)).toEqual([wrongTotal]);
  await level.del('total!templates');
  expect(await check(false, true)).toEqual([
    'The value total!templates was missing: it follows from others.',
  ]);
  expect(await level.get('total!templates')).toBe(total);
  for (const { owner, name } of [
    { owner: 'alice', name: 'a' },
    { owner: 'alice', name: 'b' },
    { owner: 'bob', name: 'a' },
  ])
    await templateStoreIn(storeOf(level)).remove(owner, name);
  expect(await check(true)).toEqual([]);
});
