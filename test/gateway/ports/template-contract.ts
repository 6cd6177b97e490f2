import { expect, it } from 'vitest';
import type { SavedTemplate, TemplateStore } from '../../../src/server/joblog/template-store.js';

const share = { maxTemplates: 3, maxSize: 10_000 };

/** A template of an owner, whose workflow has a seed beyond 2^53. */
const aTemplate = (name: string, more: Partial<SavedTemplate> = {}): SavedTemplate => ({
  ...{ owner: 'alice', name, createdAt: 1, updatedAt: 2, jsonSchema: { type: 'object' } },
  inputs: { prompt: { id: '1', input: 'text', label: 'What "to" paint' } },
  workflow: { 1: { class_type: 'Encode', inputs: { text: 'a cat', seed: 18446744073709551615n } } },
  ...more,
});

const headOf = (template: SavedTemplate): unknown =>
  Object.fromEntries(Object.entries(template).filter(([name]) => name !== 'workflow' && name !== 'ui'));

/** What every store of templates is; it is opened again where it is kept. */
export const isATemplateStore = (
  open: (limits?: {
    readonly maxTemplates?: number;
    readonly maxTemplateSize?: number;
  }) => Promise<{ store: TemplateStore; again: () => Promise<TemplateStore> }>,
): void => {
  it('keeps the templates of each owner, by their names, with and without their workflows', async () => {
    const { store, again } = await open();
    const whole = aTemplate('b c!"', { ui: { nodes: [] }, title: 'B', description: 'for b' });
    expect(await store.put(whole, share)).toEqual({ _tag: 'put', isNew: true });
    expect(await store.put(aTemplate('__proto__'), share)).toEqual({ _tag: 'put', isNew: true });
    await store.put(aTemplate('gone'), share);
    await store.put(aTemplate('b c!"', { owner: 'bob', title: 'of bob' }), share);
    expect([await store.remove('alice', 'gone'), await store.remove('alice', 'gone')]).toEqual([true, false]);
    expect(await store.remove('carol', 'b c!"')).toBe(false);
    const kept = await again();
    expect(await kept.list('alice')).toEqual([headOf(aTemplate('__proto__')), headOf(whole)]);
    expect(await kept.get('alice', 'b c!"')).toEqual(whole);
    expect((await kept.get('bob', 'b c!"'))?.title).toBe('of bob');
    const size = JSON.stringify(headOf(whole)).length;
    expect(await kept.sizeOf?.('alice', 'b c!"')).toBeGreaterThan(size);
    expect(await kept.sizeOf?.('alice', 'gone')).toBeUndefined();
    expect([await kept.get('alice', 'gone'), await kept.list('carol')]).toEqual([undefined, []]);
    await kept.close?.();
  });

  it('replaces a template, of which nothing stays', async () => {
    const { store, again } = await open();
    await store.put(aTemplate('a', { ui: { nodes: [] }, title: 'A' }), share);
    const next = aTemplate('a', { updatedAt: 3, inputs: {} });
    expect(await store.put(next, share)).toEqual({ _tag: 'put', isNew: false });
    const kept = await again();
    expect(await kept.get('alice', 'a')).toEqual(next);
    await kept.close?.();
  });

  it('keeps of each owner as many as it may have, and as much', async () => {
    const { store } = await open();
    for (const name of ['a', 'b', 'c']) await store.put(aTemplate(name), share);
    expect(await store.put(aTemplate('d'), share)).toEqual({ _tag: 'full', of: 'templates' });
    expect(await store.get('alice', 'd')).toBeUndefined();
    expect((await store.put(aTemplate('c', { title: 'C' }), share))._tag).toBe('put');
    expect((await store.put(aTemplate('d', { owner: 'bob' }), share))._tag).toBe('put');
    const large = aTemplate('c', { description: 'x'.repeat(10_000) });
    expect(await store.put(large, share)).toEqual({ _tag: 'full', of: 'size' });
    expect((await store.get('alice', 'c'))?.title).toBe('C');
    await store.remove('alice', 'a');
    expect((await store.put(aTemplate('d'), share))._tag).toBe('put');
    await store.close?.();
  });

  it('keeps of all owners no more than its bounds', async () => {
    const { store, again } = await open({ maxTemplates: 2, maxTemplateSize: 5_000 });
    await store.put(aTemplate('a'), share);
    await store.put(aTemplate('a', { owner: 'bob' }), share);
    const kept = await again();
    expect(await kept.put(aTemplate('a', { owner: 'carol' }), share)).toEqual({ _tag: 'full', of: 'all' });
    await kept.remove('bob', 'a');
    const large = aTemplate('a', { owner: 'carol', description: 'x'.repeat(5_000) });
    expect(await kept.put(large, share)).toEqual({ _tag: 'full', of: 'all' });
    expect((await kept.put(aTemplate('a', { owner: 'carol' }), share))._tag).toBe('put');
    await kept.close?.();
  });
};
