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
  walk(workflow, (id) => {
    ids.add(id);
    return undefined;
  });
  return [...ids];
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

/** Copies a value with another one in the place of each reference, as far as `replace` gives one. */
const walk = (value: unknown, replace: (id: string) => unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => walk(member, replace, depth + 1));
  if (!('__type' in value) || value.__type !== 'core/ASSET') {
    const members = Object.entries(value).map(([name, member]) => [name, walk(member, replace, depth + 1)]);
    return Object.fromEntries(members) as unknown;
  }
  return replace(idOf('info' in value ? value.info : undefined)) ?? value;
};

/** No input nests deeper; a hostile text may. */
const deepest = 100;

const idOf = (info: unknown): string =>
  typeof info === 'object' && info !== null && 'id' in info && typeof info.id === 'string' ? info.id : '';
