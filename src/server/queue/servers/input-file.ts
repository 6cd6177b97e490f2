import { createHash } from 'node:crypto';
import { textsIn } from '../../../core/errors/refused-texts.js';
import type { UploadedFile } from '../../../core/protocol/file-ref.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** The name of a file of the queue: its hash says which bytes it stands for, on every server alike. */
const form = /^promptwire-([0-9a-f]{64})(?:\.[A-Za-z0-9]{1,8})?$/u;

/** The hash by which a queue keeps bytes. */
export const hashOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What a workflow calls a file of the queue; it keeps the extension of the file's own name. */
export const inputFile = (hash: string, filename: string): UploadedFile => {
  const [extension = ''] = /\.[A-Za-z0-9]{1,8}$/u.exec(filename) ?? [];
  return { name: `promptwire-${hash}${extension}`, subfolder: '', type: 'input' };
};

/** The hash of a file of the queue by its name; undefined for any other name. */
export const hashOfName = (name: string): string | undefined => form.exec(name)?.[1];

/** The files of the queue that a workflow names. */
export const inputFilesIn = (
  workflow: Workflow,
): readonly { readonly name: string; readonly hash: string }[] => {
  const names = new Set(textsIn(Object.values(workflow)));
  return [...names].flatMap((name) => {
    const hash = hashOfName(name);
    return hash === undefined ? [] : [{ name, hash }];
  });
};

/** The workflow with other values in the place of these names. */
export const withInputFiles = (workflow: Workflow, values: ReadonlyMap<string, unknown>): Workflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => [
      id,
      {
        ...node,
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([input, value]) => [
            input,
            typeof value === 'string' && values.has(value) ? values.get(value) : value,
          ]),
        ),
      },
    ]),
  );
