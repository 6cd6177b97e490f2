import {
  type NodeDefinitions,
  readGraph,
  toApiWorkflow,
  workflowIn,
  parseExactJson,
} from '../../../workflow.js';
import type { Brought } from './bench.js';

/** The workflow in a file, or in a word why it has none. */
export type FoundInFile =
  | { readonly _tag: 'Brought'; readonly brought: Brought }
  | { readonly _tag: 'None'; readonly reason: string };

/**
 * Finds the workflow in a file (JSON, a picture, a film or a sound), in the format of the API or as an editor saves it, and
 * converts it by the definitions of the service.
 */
export const bringFile = async (
  file: Blob,
  name: string,
  definitions: NodeDefinitions = {},
): Promise<FoundInFile> => {
  const text = await jsonText(file);
  const found = text === undefined ? await inMedia(file) : text;
  if (typeof found !== 'string' && 'reason' in found) return { _tag: 'None', reason: found.reason };
  const sources = typeof found === 'string' ? { prompt: found, workflow: undefined } : found;
  const graph = readGraph(parsed(sources.prompt ?? sources.workflow));
  if (graph._tag === 'Left') return { _tag: 'None', reason: `${graph.left.message} ${graph.left.hint}` };
  const title = name.replace(/\.[^.]+$/u, '');
  const { right } = graph;
  if (right._tag === 'Ui') {
    const { workflow, problems } = toApiWorkflow(right.workflow, definitions);
    if (workflow === undefined)
      return { _tag: 'None', reason: problems.map(({ message }) => message).join(' ') };
    return {
      _tag: 'Brought',
      brought: { title, workflow, ui: right.workflow, problems: [...right.problems, ...problems] },
    };
  }
  const drawn = right.ui ?? drawnIn(sources.workflow);
  return {
    _tag: 'Brought',
    brought: {
      title,
      workflow: right.workflow,
      problems: right.problems,
      ...(drawn !== undefined && { ui: drawn }),
    },
  };
};

/** The text of a file that begins as JSON does; undefined for any other. */
const jsonText = async (file: Blob): Promise<string | undefined> => {
  const head = await file.slice(0, 64).text();
  return /^\uFEFF?\s*[{[]/u.test(head) ? file.text() : undefined;
};

const inMedia = async (
  file: Blob,
): Promise<
  { readonly prompt: string | undefined; readonly workflow: string | undefined } | { readonly reason: string }
> => {
  const found = await workflowIn(file);
  if (found._tag === 'Found') return { prompt: found.prompt?.text, workflow: found.workflow?.text };
  return { reason: found._tag === 'Problem' ? found.problem.message : 'none' };
};

const parsed = (text: string | undefined): unknown => {
  try {
    return parseExactJson(text ?? '');
  } catch {
    return undefined;
  }
};

const drawnIn = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const graph = readGraph(parsed(text));
  return graph._tag === 'Right' && graph.right._tag === 'Ui' ? graph.right.workflow : undefined;
};
