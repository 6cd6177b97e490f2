import type { GatewayJob } from '../model/gateway-jobs.js';
import { outputFiles } from '../../../core/state/output-files.js';

/** The words of a search, each to be found in one of a job's texts, in any case. */
export type SearchWords = readonly RegExp[];

/** Reads the words of a search. */
export const searchWords = (text: string): SearchWords =>
  text
    .split(/\s/u)
    .filter((word) => word !== '')
    .map((word) => new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'iu'));

/**
 * Whether a job has all words of a search: in its id, its template, its labels, the texts among the inputs of its workflow, such as prompts, the
 * titles of its nodes, and the names of its files.
 */
export const hasWords = (job: GatewayJob, words: SearchWords): boolean => {
  const missing = new Set(words);
  for (const text of textsOf(job)) {
    for (const word of missing) if (word.test(text)) missing.delete(word);
    if (missing.size === 0) return true;
  }
  return missing.size === 0;
};

/** No input of a workflow nests deeper. */
const deepest = 64;

function* textsOf({ record, state }: GatewayJob): Generator<string> {
  yield record.id;
  if (record.template !== undefined) yield record.template;
  yield* Object.values(record.metadata ?? {});
  for (const { inputs, _meta: meta } of Object.values(record.workflow)) {
    if (typeof meta?.title === 'string') yield meta.title;
    yield* textsIn(inputs, deepest);
  }
  for (const { filename } of outputFiles(state.outputs, state)) yield filename;
}

function* textsIn(value: unknown, levels: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (levels > 0) for (const member of Object.values(value ?? {})) yield* textsIn(member, levels - 1);
}
