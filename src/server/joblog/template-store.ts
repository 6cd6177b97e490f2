import type { Workflow } from '../../core/protocol/workflow.js';

/** What an input of a saved template sets, and how a form shows it. */
export interface SavedInput {
  /** The id of its node. */
  readonly id: string;
  /** The input of that node. */
  readonly input: string;
  /** Whether a call may leave it out; the workflow's own value stays then. */
  readonly optional?: boolean;
  /** What a form calls it. */
  readonly label?: string;
}

/** A template that a caller saved, without its workflow. */
export interface TemplateHead {
  /** The name of the caller. */
  readonly owner: string;
  /** The caller's name of it. */
  readonly name: string;
  /** What people call it. */
  readonly title?: string;
  /** What it is for. */
  readonly description?: string;
  /** Its inputs by name. */
  readonly inputs: Readonly<Record<string, SavedInput>>;
  /** The JSON Schema of the inputs, as it was when it was saved. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** When it was first saved, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was last saved, likewise. */
  readonly updatedAt: number;
}

/** What a template runs. */
export interface TemplateBody {
  /** In API format. */
  readonly workflow: Workflow;
  /** The editor's file of it, to draw it as its author did. */
  readonly ui?: Readonly<Record<string, unknown>>;
}

/** A template that a caller saved. */
export interface SavedTemplate extends TemplateHead, TemplateBody {}

/** How much one caller may keep. */
export interface TemplateShare {
  /** Templates. */
  readonly maxTemplates: number;
  /** Characters of all of them, as JSON. */
  readonly maxSize: number;
}

/** What became of a template that was to be saved; `full` says whose bound is in the way. */
export type PutTemplate =
  | { readonly _tag: 'put'; readonly isNew: boolean }
  | { readonly _tag: 'full'; readonly of: 'templates' | 'size' | 'all' };

/** Keeps the templates of callers. */
export interface TemplateStore {
  /** Saves a template in place of the owner's one of this name; resolves once it is durable. */
  readonly put: (template: SavedTemplate, share: TemplateShare) => Promise<PutTemplate>;
  /** A template, or undefined. */
  readonly get: (owner: string, name: string) => Promise<SavedTemplate | undefined>;
  /** The characters of a template, as JSON; undefined where there is none. Absent if the store does not know before it has read it. */
  readonly sizeOf?: (owner: string, name: string) => Promise<number | undefined>;
  /** The templates of an owner, in the order of their names. */
  readonly list: (owner: string) => Promise<readonly TemplateHead[]>;
  /** Forgets a template; resolves with whether it was there. */
  readonly remove: (owner: string, name: string) => Promise<boolean>;
  /** Releases what the store holds open. */
  readonly close?: () => Promise<void>;
}
