import type { Files } from '../core/platform/platform.js';
import { fileInputs } from '../workflow/validate/file-checks.js';
import { findInput, type InputPlace } from '../workflow/edit/find-input.js';
import { getOrThrow, isRight } from '../core/protocol/either.js';
import { inputFinder } from '../workflow/edit/find-by-name.js';
import type { InputFile } from './generate-types.js';
import { type NodeDefinitions, readDefinition } from '../workflow/definitions.js';
import { setInput } from '../workflow/edit/set-input.js';
import { takesUploads } from '../workflow/preflight/named-files.js';
import { template } from '../workflow/edit/template.js';
import type { UploadedFile } from '../core/protocol/file-ref.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** How the files of a workflow are opened and uploaded, and what is checked before that. */
export interface FillContext {
  readonly files: Pick<Files, 'open'> | undefined;
  readonly upload: (file: InputFile) => Promise<UploadedFile>;
  /** Rejects where the workflow is not to be submitted; called before the first upload, with a text in place of each file's name. */
  readonly beforeUpload: (workflow: Workflow) => Promise<void>;
}

/**
 * The classes of the nodes that do not have an input that is named: an optional one, or one that is misspelt, which an engine would
 * pass over. Only the definition of the class tells.
 */
export const classesInDoubt = (workflow: Workflow, inputs: object): readonly string[] => {
  const places = Object.keys(inputs).map(inputFinder(workflow)).filter(isRight);
  const nodes = places.flatMap(({ right: { nodeId, input } }) => {
    const node = workflow[nodeId];
    return node === undefined || Object.hasOwn(node.inputs, input) ? [] : [node];
  });
  return [...new Set(nodes.map(({ class_type }) => class_type))];
};

/**
 * Copies a workflow with these values, checked by the definitions where they are known; files are uploaded once all other values are
 * right, and their names put in. Rejects with a `ServiceError`.
 */
export const fillInputs = async (
  { files, upload, beforeUpload }: FillContext,
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
  const filled = getOrThrow(fill(Object.fromEntries(plain.map(({ name, value }) => [name, value])) as never));
  const withNames = async (
    nameOf: (file: InputFile) => string | Promise<UploadedFile>,
  ): Promise<Workflow> => {
    let named = filled;
    for (const { file, place } of found)
      if (file !== undefined)
        named = getOrThrow(setInput(named, place.nodeId, place.input, await nameOf(file)));
    return named;
  };
  if (plain.length === found.length) return filled;
  await beforeUpload(await withNames(() => 'to be uploaded'));
  return withNames(upload);
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
