import type { Caller } from '../options.js';
import type { GatewayTemplate, GatewayTemplates } from '../templates.js';
import type { SavedInput, SavedTemplate, TemplateHead, TemplateStore } from '../../joblog/template-store.js';
import type { RouteCall } from '../http/route.js';
import { serialQueues } from '../../../core/interop/serial-queues.js';
import { template } from '../../../workflow/edit/template.js';

/** The templates that a caller may run: its own, and those of the gateway. */
export interface KnownTemplates {
  /** The caller's own one of this name, or the gateway's; undefined if there is neither. */
  readonly find: (call: TemplateCall, name: string) => Promise<GatewayTemplate | undefined>;
  /** The caller's own one, as it was saved; a large one is read once its caller may have so much. */
  readonly saved: (call: TemplateCall, name: string) => Promise<SavedTemplate | undefined>;
  /** The gateway's one of this name. */
  readonly ofGateway: (name: string) => GatewayTemplate | undefined;
  readonly store: TemplateStore;
  /** The gateway's first, as its operator named them. */
  readonly list: (caller: Caller) => Promise<readonly ShownTemplate[]>;
}

/** The request that a template is read for. */
export type TemplateCall = Pick<RouteCall, 'caller' | 'work'>;

/** A template as callers see it. */
export type ShownTemplate = Pick<TemplateHead, 'name' | 'jsonSchema'> & { readonly own: boolean } & Partial<
    Omit<SavedTemplate, 'owner'>
  >;

/** Makes {@link KnownTemplates} of those of the gateway and of a store. */
export const knownTemplates = (templates: GatewayTemplates, store: TemplateStore): KnownTemplates => {
  const ofGateway = (name: string): GatewayTemplate | undefined =>
    Object.hasOwn(templates, name) ? templates[name] : undefined;
  const reads = serialQueues();
  const saved: KnownTemplates['saved'] = async ({ caller: { name: owner }, work }, name) => {
    const size = (await store.sizeOf?.(owner, name)) ?? 0;
    if (size > 0) await work(size);
    // A text, what is parsed of it and what is written again: only one of an owner's has all three at once.
    return reads.run(owner, () => store.get(owner, name));
  };
  return {
    ofGateway,
    store,
    saved,
    find: async (call, name) => {
      const own = await saved(call, name);
      return own === undefined ? ofGateway(name) : filledBy(own);
    },
    list: async ({ name: owner }) => [
      ...Object.entries(templates).map(([name, { jsonSchema }]) => ({ name, jsonSchema, own: false })),
      ...(await store.list(owner)).map(shownTemplate),
    ],
  };
};

/** A template of a caller as that caller sees it. */
export const shownTemplate = (saved: TemplateHead | SavedTemplate): ShownTemplate => {
  const shown = Object.entries(saved).filter(([member]) => member !== 'owner');
  return { ...(Object.fromEntries(shown) as Omit<TemplateHead, 'owner'>), own: true };
};

/** What the inputs of a saved template set. */
export const targetsOf = (
  inputs: Readonly<Record<string, SavedInput>>,
): Readonly<Record<string, Omit<SavedInput, 'label'>>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, { id, input, optional = false }]) => [name, { id, input, optional }]),
  );

/** The function that fills it. Its workflow had these inputs when it was saved, and it never changes. */
const filledBy = ({ workflow, inputs }: SavedTemplate): GatewayTemplate | undefined => {
  const made = template(workflow, targetsOf(inputs));
  return made._tag === 'Right' ? made.right : undefined;
};
