import type { Files } from '../core/platform/platform.js';
import { fileInputs } from '../workflow/validate/file-checks.js';
import { findInput, type InputPlace } from '../workflow/edit/find-input.js';
import { getOrThrow } from '../core/protocol/either.js';
import type { InputFile } from './generate-types.js';
import { type NodeDefinitions, readDefinition } from '../workflow/definitions.js';
import { setInput } from '../workflow/edit/set-input.js';
import { takesUploads } from '../workflow/preflight/named-files.js';
import { template } from '../workflow/edit/template.js';
import type { UploadOnce } from './upload-once.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** What {@link fillInputs} needs. */
export interface FillContext {
  readonly files: Pick<Files, 'open'> | undefined;
  readonly upload: UploadOnce;
}

/**
 * Copies a workflow with these values, checked by the definitions where they are known; files are uploaded once all other values are
 * right, and their names put in. Rejects with a `ServiceError`.
 */
export const fillInputs = async (
  { files, upload }: FillContext,
  workflow: Workflow,
  inputs: Readonly<Record<string, unknown>>,
  definitions: NodeDefinitions | undefined,
): Promise<Workflow> => {
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  const places = given.map(([name, value]) => ({
    name,
    value,
    place: getOrThrow(findInput(workflow, name, definitions)),
  }));
  const found = await Promise.all(
    places.map(async (one) => ({
      ...one,
      file: await fileOf(files, one.value, () => takesFile(workflow, one.place, definitions)),
    })),
  );
  const plain = found.filter(({ file }) => file === undefined);
  const targets = Object.fromEntries(plain.map(({ name }) => [name, name]));
  const fill = getOrThrow(template(workflow, targets, definitions));
  let filled = getOrThrow(fill(Object.fromEntries(plain.map(({ name, value }) => [name, value])) as never));
  for (const { file, place } of found)
    if (file !== undefined)
      filled = getOrThrow(setInput(filled, place.nodeId, place.input, await upload(file)));
  return filled;
};

/** The file that a value is, or whose path it is; undefined for any other value. */
const fileOf = async (
  files: Pick<Files, 'open'> | undefined,
  value: unknown,
  takesFile: () => boolean,
): Promise<InputFile | undefined> => {
  if (isInputFile(value)) return value;
  if (typeof value !== 'string' || files === undefined || !takesFile()) return undefined;
  const content = await files.open(value).catch(() => undefined);
  return content && { content, filename: value.split(/[/\\]/u).at(-1) ?? value };
};

const isInputFile = (value: unknown): value is InputFile => {
  if (typeof value !== 'object' || value === null) return false;
  const isBytes = value instanceof Blob || value instanceof Uint8Array || value instanceof ArrayBuffer;
  return (
    isBytes ||
    value instanceof ReadableStream ||
    Symbol.asyncIterator in value ||
    ('content' in value && 'filename' in value && isInputFile(value.content))
  );
};

const takesFile = (
  workflow: Workflow,
  { nodeId, input }: InputPlace,
  definitions: NodeDefinitions | undefined,
): boolean => {
  const className = workflow[nodeId]?.class_type ?? '';
  const known = readDefinition(definitions, className)?.inputs.find(({ name }) => name === input);
  return known === undefined ? fileInputs.get(className) === input : takesUploads(known, className);
};
