import type { ClassDefinition, InputDefinition, NodeDefinitions } from '../definitions.js';
import { fileInputs } from './file-checks.js';
import { isDynamic } from './live-inputs.js';
import { readDefinition } from '../definitions.js';

/** What the checks need of a node class. */
export interface NodeClass {
  readonly name: string;
  readonly inputs: readonly InputDefinition[];
  /** Whether some inputs depend on what a node has. */
  readonly isDynamic: boolean;
  /** Names of inputs that the server fills. */
  readonly hidden: readonly string[];
  /** Types by slot, as sent. */
  readonly outputs: readonly unknown[];
  readonly isOutput: boolean;
  /** The input that the class checks itself: it must name a file of the server. */
  readonly fileInput: string | undefined;
}

/** Reads each class once, as many nodes share few classes. */
export const nodeClasses = (definitions: NodeDefinitions): ((name: string) => NodeClass | undefined) => {
  const known = new Map<string, NodeClass | undefined>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined || known.has(name)) return before;
    const definition = readDefinition(definitions, name);
    const nodeClass = definition && classOf(definition, name);
    known.set(name, nodeClass);
    return nodeClass;
  };
};

/** Kept for later workflows as well; two names can share a definition. */
const classOf = (definition: ClassDefinition, name: string): NodeClass => {
  const before = read.get(definition);
  if (before?.name === name) return before;
  const fresh: NodeClass = {
    name,
    inputs: definition.inputs,
    isDynamic: definition.inputs.some(isDynamic),
    hidden: definition.hidden,
    outputs: definition.outputTypes,
    isOutput: definition.isOutputNode,
    fileInput: fileInputs.get(name),
  };
  read.set(definition, fresh);
  return fresh;
};

const read = /* @__PURE__ */ new WeakMap<ClassDefinition, NodeClass>();
