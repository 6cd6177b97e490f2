import { below, keyOf } from './keys.js';
import type { Change } from './change.js';
import { get, getMany, pagesOf, type View } from './view.js';
import {
  type PutTemplate,
  type TemplateBody,
  type TemplateHead,
  type TemplateStore,
} from '../../joblog/template-store.js';
import { parted } from '../../joblog/parted-template.js';
import type { Store } from './store.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** The bounds of all templates of a store. */
export interface TemplateStoreLimits {
  /** Templates of all callers together; default 10 000. */
  readonly maxTemplates?: number | undefined;
  /** Characters of all of them as JSON; default 128 Mi. */
  readonly maxTemplateSize?: number | undefined;
}

/** Below `template!OWNER!NAME`: a template without its workflow, and the characters of the whole. */
export interface StoredTemplate {
  readonly head: TemplateHead;
  readonly size: number;
}

/** Below `total!templates`: what the store holds. */
export interface TemplateTotals {
  readonly templates: number;
  readonly size: number;
}

export const noTemplates: TemplateTotals = { templates: 0, size: 0 };
export const templateTotalKey = keyOf('total', 'templates');
const headKey = (owner: string, name: string): string => keyOf('template', owner, name);
export const templateBodyKey = (owner: string, name: string): string => keyOf('template-body', owner, name);

/** Keeps the templates of callers in a store (docs/stores.md). */
export const templateStoreIn = (
  store: Store,
  { maxTemplates = 10_000, maxTemplateSize = 128 * 1024 * 1024 }: TemplateStoreLimits = {},
): TemplateStore => ({
  put: async (template, share) => {
    const { owner, name } = template;
    const { head, body } = parted(template);
    // A workflow, which may have megabytes, is written once, and its sum is made in another turn.
    const text = writeExactJson(body);
    const size = writeExactJson(head).length + text.length;
    await turnForLargeText(text);
    return store.change(async (change): Promise<PutTemplate> => {
      const known = await get<StoredTemplate>(change, headKey(owner, name));
      const more = { templates: known === undefined ? 1 : 0, size: size - (known?.size ?? 0) };
      const own = sumOf(await templatesOf(change, owner));
      if (own.templates + more.templates > share.maxTemplates) return { _tag: 'full', of: 'templates' };
      if (own.size + more.size > share.maxSize) return { _tag: 'full', of: 'size' };
      const all = await totalsOf(change);
      if (all.templates + more.templates > maxTemplates || all.size + more.size > maxTemplateSize)
        return { _tag: 'full', of: 'all' };
      change.put(headKey(owner, name), { head, size } satisfies StoredTemplate);
      change.putText(templateBodyKey(owner, name), text);
      await count(change, more);
      return { _tag: 'put', isNew: known === undefined };
    });
  },
  get: (owner, name) =>
    store.read(async (view) => {
      const stored = await get<StoredTemplate>(view, headKey(owner, name));
      const body = await get<TemplateBody>(view, templateBodyKey(owner, name));
      return stored && body && { ...stored.head, ...body };
    }),
  sizeOf: (owner, name) =>
    store.read(async (view) => (await get<StoredTemplate>(view, headKey(owner, name)))?.size),
  list: (owner) =>
    store.read(async (view) => {
      const heads = (await templatesOf(view, owner)).map(({ head }) => head);
      return heads.sort((one, other) => (one.name < other.name ? -1 : 1));
    }),
  remove: (owner, name) =>
    store.change(async (change) => {
      const known = await get<StoredTemplate>(change, headKey(owner, name));
      change.remove(headKey(owner, name));
      change.remove(templateBodyKey(owner, name));
      if (known !== undefined) await count(change, { templates: -1, size: -known.size });
      return known !== undefined;
    }),
});

const templatesOf = async (view: View, owner: string): Promise<readonly StoredTemplate[]> => {
  const all: StoredTemplate[] = [];
  for await (const page of pagesOf(view, below('template', owner))) {
    const stored = await getMany<StoredTemplate>(
      view,
      page.map(([key]) => key),
    );
    all.push(...stored.filter((one) => one !== undefined));
  }
  return all;
};

/** What some templates come to. */
export const sumOf = (templates: readonly StoredTemplate[]): TemplateTotals => ({
  templates: templates.length,
  size: templates.reduce((sum, { size }) => sum + size, 0),
});

const totalsOf = async (view: View): Promise<TemplateTotals> =>
  (await get<TemplateTotals>(view, templateTotalKey)) ?? noTemplates;

const count = async (change: Change, by: TemplateTotals): Promise<void> => {
  const { templates, size } = await totalsOf(change);
  change.put(templateTotalKey, {
    templates: templates + by.templates,
    size: size + by.size,
  } satisfies TemplateTotals);
};
