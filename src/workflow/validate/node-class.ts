import { type ClassDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { fileInputs } from './file-checks.js';
import { isDynamic } from './live-inputs.js';
import { kept } from '../kept.js';

/** What the checks need of a node class. */
export interface NodeClass extends ClassDefinition {
  readonly name: string;
  /** Whether some inputs depend on what a node has. */
  readonly isDynamic: boolean;
  /** The input that the class checks itself: it must name a file of the server. */
  readonly fileInput: string | undefined;
}

/** Reads each class once, as many nodes share few classes. */
export const nodeClasses = (definitions: NodeDefinitions): ((name: string) => NodeClass | undefined) => {
  const known = new Map<string, NodeClass | undefined>();
  return (name) =>
    kept(known, name, () => {
      const definition = readDefinition(definitions, name);
      return (
        definition && {
          ...definition,
          name,
          isDynamic: definition.inputs.some(isDynamic),
          fileInput: fileInputs.get(name),
        }
      );
    });
};
