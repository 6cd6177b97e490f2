import { isJsonObject } from '../../protocol/json/json.js';
import { noOutputs, type Outputs } from '../../state/outputs.js';

/**
 * Groups the outputs of API v2 by node, in the form of v1: node id → key → files.
 *
 * The type is the key: `image` is `images`, any other is a key of its own. Each file has the output as sent as its `asset`. What has
 * no name is left out (docs/protocol.md, chapter 12.5).
 */
export const groupOutputs = (outputs: unknown): Outputs => {
  const files = (Array.isArray(outputs) ? outputs : []).filter(isFile);
  if (files.length === 0) return noOutputs;
  const nodes = Object.create(null) as Record<string, Record<string, unknown[]>>;
  for (const file of files) {
    const node = (nodes[nodeOf(file)] ??= Object.create(null) as Record<string, unknown[]>);
    (node[keyOf(file['type'])] ??= []).push(descriptorOf(file));
  }
  return nodes;
};

type File = Readonly<Record<string, unknown>>;

const isFile = (output: unknown): output is File =>
  isJsonObject(output) && typeof output['name'] === 'string' && output['name'] !== '';

const nodeOf = ({ node_id: id }: File): string =>
  typeof id === 'string' || typeof id === 'number' ? `${id}` : '';

const keyOf = (type: unknown): string =>
  typeof type !== 'string' || type === '' ? 'files' : type === 'image' ? 'images' : type;

const descriptorOf = (file: File): File => ({
  filename: file['name'],
  subfolder: '',
  type: 'output',
  ...(typeof file['content_type'] === 'string' && { format: file['content_type'] }),
  asset: file,
});
