import { expect, it } from 'vitest';
import { MemoryLevel } from 'memory-level';
import type { SavedTemplate } from '../../../src/server/joblog/template-store.js';
import { storeOf } from '../../../src/server/gateway/store/store.js';
import { templateStoreIn } from '../../../src/server/gateway/store/template-store.js';

const share = { maxTemplates: 9, maxSize: 10_000 };
const aTemplate = (name: string, owner = 'alice'): SavedTemplate => ({
  ...{ owner, name, createdAt: 1, updatedAt: 2, jsonSchema: {}, inputs: {} },
  workflow: { 1: { class_type: 'A', inputs: {} } },
});
const store = (limits: Parameters<typeof templateStoreIn>[1] = {}) => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  return { level, templates: templateStoreIn(storeOf(level), limits) };
};

it('lists templates in the order of their names, whatever their keys are', async () => {
  const { level, templates } = store();
  for (const name of ['aB', 'a!']) await templates.put(aTemplate(name), share);
  const keys = (await level.keys().all()).filter((key) => key.startsWith('template!'));
  expect(keys).toEqual(['template!alice!aB', 'template!alice!a\\u0021']);
  expect((await templates.list('alice')).map(({ name }) => name)).toEqual(['a!', 'aB']);
});

it('has room again for what was removed, or made smaller, as often as that happens', async () => {
  const { head, body } = { head: { ...aTemplate('a') }, body: { workflow: aTemplate('a').workflow } };
  delete (head as { workflow?: unknown }).workflow;
  const size = JSON.stringify(head).length + JSON.stringify(body).length;
  const { templates } = store({ maxTemplateSize: 2 * size, maxTemplates: 2 });
  const put = async (template: SavedTemplate) => (await templates.put(template, share))._tag;
  expect([await put(aTemplate('a')), await put(aTemplate('b')), await put(aTemplate('c'))]).toEqual([
    ...['put', 'put', 'full'],
  ]);
  for (let nth = 0; nth < 3; nth += 1) {
    await templates.remove('alice', 'b');
    await templates.remove('alice', 'b');
    expect([await put(aTemplate('b')), await put(aTemplate('c')), await put(aTemplate('a'))]).toEqual([
      ...['put', 'full', 'put'],
    ]);
  }
});

it('K3: a template that lost a part, or can’t be read, is none', async () => {
  const { level, templates } = store();
  for (const name of ['a', 'b', 'c']) await templates.put(aTemplate(name), share);
  await level.put('template!alice!a', 'no value');
  await level.del('template-body!alice!b');
  expect([await templates.get('alice', 'a'), await templates.get('alice', 'b')]).toEqual([
    ...[undefined, undefined],
  ]);
  expect((await templates.list('alice')).map(({ name }) => name)).toEqual(['b', 'c']);
  expect(await templates.get('alice', 'c')).toEqual(aTemplate('c'));
});
