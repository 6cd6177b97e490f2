import type { GatewayJob } from '../model/gateway-jobs.js';
import { outputFiles } from '../../../core/state/output-files.js';
import type { Steps } from '../../../core/protocol/steps.js';

/** The words of a search, each to be found in one of a job's texts, in any case. */
export type SearchWords = readonly RegExp[];

/** Reads the words of a search. */
export const searchWords = (text: string): SearchWords =>
  text
    .split(/\s/u)
    .filter((word) => word !== '')
    .map((word) => new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'iu'));

/** So much of a text is looked through: a prompt is shorter, and what is longer is a picture or the like. */
const searchedLength = 64 * 1024;

/**
 * Whether a job has all words of a search: in its id, its template, its labels, the texts among the inputs of its workflow, such as prompts, the
 * titles of its nodes, and the names of its files. It pauses after each text.
 */
export function* hasWords(job: GatewayJob, words: SearchWords): Steps<boolean> {
  const missing = new Set(words);
  if (missing.size === 0) return true;
  for (const text of textsOf(job)) {
    const searched = text.slice(0, searchedLength);
    for (const word of missing) if (word.test(searched)) missing.delete(word);
    if (missing.size === 0) return true;
    yield;
  }
  return false;
}

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
