import type { JsonPath, PieceOf } from '../protocol/json/json-pieces.js';

/** Whether an answer is read with the workflows in it; default true. */
export interface WorkflowOption {
  readonly workflow?: boolean | undefined;
}

/** Answers that hold workflows or definitions are read up to this size. */
export const maxOfWorkflows = 128 * 1024 * 1024;

/** The pieces of a record of history, which stands at the root, or in a map under the id of its job. */
export const recordPieces =
  ({ workflow = true }: WorkflowOption): PieceOf =>
  (path) => {
    const [member, ...more] = recordMembers.has(path[0]) ? path : path.slice(1);
    if (member === 'prompt' && more.length === 0) return workflow ? undefined : 'skip';
    return (member === 'prompt' || member === 'outputs') && more.length === 1 ? 'part' : undefined;
  };

/** The pieces of a listing of the history: a map from ids to records, or a list under `history`. Only the workflows count. */
export const recentPieces: PieceOf = (path) => {
  const inList = path[0] === 'history' && typeof path[1] === 'number';
  const [member, ...more] = inList ? path.slice(2) : recordMembers.has(path[0]) ? path : path.slice(1);
  if (member === 'outputs') return 'skip';
  return member === 'prompt' && more.length === 1 ? 'part' : undefined;
};

const recordMembers: ReadonlySet<unknown> = new Set(['prompt', 'outputs', 'status', 'meta']);

/** The pieces of a job in the jobs API. */
export const detailPieces =
  ({ workflow = true }: WorkflowOption): PieceOf =>
  ([member, ...more]) => {
    if (member === 'workflow' && more.length === 0) return workflow ? undefined : 'skip';
    return (member === 'workflow' || member === 'outputs') && more.length === 1 ? 'part' : undefined;
  };

/** The pieces of a queue: of each job its workflow, and what was sent with it, in which the editor's file is the workflow once more. */
export const queuePieces =
  ({ workflow = true }: WorkflowOption): PieceOf =>
  (path) => {
    if (!isInJob(path)) return undefined;
    if (path.length === 3 && (workflow || path[2] === 2)) return workflow ? 'part' : 'skip';
    return path.length === 4 && path[3] === 'extra_pnginfo' ? 'skip' : undefined;
  };

/** Whether a path leads into the third or a later member of a listed job. */
const isInJob = ([list, job, member]: JsonPath): boolean =>
  typeof list === 'string' && typeof job === 'number' && typeof member === 'number' && member >= 2;
