import type { Refusal } from '../http/refusal.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { listOf, objectOf } from '../../../workflow/values.js';
import { refusal } from './refusal.js';

/** A node has so many inputs, outputs or values at most; real ones have some dozens. */
const maxMembers = 4_096;

/** Refuses a workflow, or a file of the editor, with a node that is wider: the work on a node is done in one turn of the event loop. */
export const checkWidth = (workflow: Readonly<Record<string, unknown>>): Refusal | undefined => {
  const isFile = Array.isArray(workflow['nodes']);
  const graphs = isFile ? [workflow, ...listOf(objectOf(workflow['definitions'])['subgraphs'])] : [];
  const nodes = isFile
    ? graphs.flatMap((graph) => listOf(objectOf(graph)['nodes']))
    : Object.values(workflow);
  const isWide = nodes.some((node) =>
    ['inputs', 'outputs', 'widgets_values'].some((name) => widthOf(objectOf(node)[name]) > maxMembers),
  );
  return isWide
    ? refusal(422, 'invalid_workflow', `A node may have at most ${maxMembers} inputs, outputs or values.`)
    : undefined;
};

const widthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
