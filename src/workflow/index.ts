// The entry `promptwire/workflow`: read, convert and check workflows. Functions without I/O, for programs and pages alike.
export { readDefinition, readInputs } from './definitions.js';

export type { ClassDefinition, InputDefinition, NodeDefinitions } from './definitions.js';
export type { Problem } from './problem.js';
