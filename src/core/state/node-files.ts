import { type Descriptor, fileId, type NodeOutputs, readDescriptor } from './outputs.js';
import { elementsOf } from './output-shapes.js';

/** One file of a node, under its key and as it was sent. */
export interface NodeFile {
  readonly key: string;
  readonly element: unknown;
  readonly descriptor: Descriptor;
}

/** Lists the files that a node's outputs name, in their order; one that a bare text names as well counts once. */
export const nodeFiles = (node: NodeOutputs): readonly NodeFile[] => {
  const files: NodeFile[] = [];
  for (const key of Object.keys(node)) {
    for (const element of elementsOf(key, node[key])) {
      const descriptor = readDescriptor(element, key);
      if (descriptor !== undefined) files.push({ key, element, descriptor });
    }
  }
  if (!files.some(isByText)) return files;
  const idOf = ({ key, element }: NodeFile): string | undefined => fileId(element, key);
  const seen = new Set(files.filter((file) => !isByText(file)).map(idOf));
  return files.filter((file) => !isByText(file) || seen.size < seen.add(idOf(file)).size);
};

const isByText = ({ element }: NodeFile): boolean => typeof element === 'string';
