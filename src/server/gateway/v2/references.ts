import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import { fileInput } from '../../../workflow/file-input.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** A workflow without references to assets of the gateway. */
export interface ResolvedWorkflow {
  /** As the service takes it. */
  readonly workflow: Workflow;
  /** Ids that name nothing that the caller has; the empty text for a reference without an id. */
  readonly missing: readonly string[];
}

/** The ids of all `core/ASSET` references in a workflow, each once; the empty text for one without an id. */
export const referencesOf = (workflow: Workflow): readonly string[] => {
  const ids = new Set<string>();
  seek(workflow, ids);
  return [...ids];
};

/** Finds references without a copy of what has none, which may be large. */
const seek = (value: unknown, ids: Set<string>, depth = 0): void => {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  if (isReference(value)) ids.add(idOf(value));
  else for (const name in value) seek((value as Readonly<Record<string, unknown>>)[name], ids, depth + 1);
};

/** Puts what the service calls a file in the place of each `core/ASSET` reference, which may stand anywhere in a node's inputs. */
export const resolveReferences = (
  workflow: Workflow,
  files: ReadonlyMap<string, UploadedFile | FileRef>,
): ResolvedWorkflow => {
  const missing = new Set<string>();
  const resolved = walk(workflow, (id) => {
    const file = files.get(id);
    if (file !== undefined) return fileInput(file);
    missing.add(id);
    return undefined;
  });
  return { workflow: resolved as Workflow, missing: [...missing] };
};

/** Gives a value with another one in the place of each reference, as far as `replace` gives one; what has no reference is no copy. */
const walk = (value: unknown, replace: (id: string) => unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (isReference(value)) return replace(idOf(value)) ?? value;
  const next = (member: unknown): unknown => walk(member, replace, depth + 1);
  if (Array.isArray(value)) {
    const members = value.map(next);
    return members.every((member, at) => member === value[at]) ? value : members;
  }
  const members = Object.entries(value).map(([name, member]) => [name, member, next(member)] as const);
  if (members.every(([, member, changed]) => changed === member)) return value;
  return Object.fromEntries(members.map(([name, , changed]) => [name, changed]));
};

const isReference = (value: object): value is { readonly info?: unknown } =>
  !Array.isArray(value) && '__type' in value && value.__type === 'core/ASSET';

/** No input nests deeper; a hostile text may. */
const deepest = 100;

const idOf = ({ info }: { readonly info?: unknown }): string =>
  typeof info === 'object' && info !== null && 'id' in info && typeof info.id === 'string' ? info.id : '';
