import { isApi, isUi, wrapperMembers } from './tell-format.js';
import { isJsonObject } from '../core/protocol/json/json.js';
import { type Json, objectOf } from './values.js';
import { parseExactJson } from '../core/protocol/json/exact-json.js';
import { parseJson } from '../core/protocol/json/parse-json.js';
import type { UiWorkflow } from './convert/ui-workflow.js';

/** What a workflow was found in: a file of its own, something around it, or the record of a job. */
export type GraphSource = 'file' | 'wrapper' | 'history';

/** The workflows that a value holds; neither where it holds none, or several of a format. */
export interface FoundGraphs {
  readonly from: GraphSource;
  /** In API format, not checked any further. */
  readonly api?: Json;
  readonly ui?: UiWorkflow;
  /** How many different ones of one format there are, where that is more than one. */
  readonly several?: number;
}

/** How deep a wrapper is searched: `{ input: { workflow } }` has two levels, the history of a job three. */
const deepest = 3;

/**
 * Looks for workflows of both formats in a parsed JSON value: the value itself, those under the usual names, or the only one of the highest
 * level that has one, within three levels of objects, lists and texts.
 */
export const findGraphs = (value: unknown): FoundGraphs => {
  if (isApi(value)) return { from: 'file', api: value };
  if (isUi(value)) return { from: 'file', ui: value };
  const apis: Json[] = [];
  const uis: UiWorkflow[] = [];
  let from: GraphSource = 'wrapper';
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const found = level.flatMap((one) => (isRecord(one) ? inRecord(one) : [asJson(one)]));
    if (level.some(isRecord)) from = 'history';
    if (apis.length === 0) apis.push(...found.filter(isApi));
    if (uis.length === 0) uis.push(...found.filter(isUi));
    level = found.filter((one) => !isApi(one) && !isUi(one)).flatMap(membersIn);
  }
  const named = wrapperMembers.map((name) => asJson(objectOf(value)[name]));
  const [api, ui] = [named.find(isApi) ?? theOnly(apis), named.find(isUi) ?? theOnly(uis)];
  const several = Math.max(apis.length, uis.length);
  return {
    from,
    ...(api !== undefined && { api }),
    ...(ui !== undefined && { ui }),
    ...(api === undefined && ui === undefined && several > 1 && { several }),
  };
};

const theOnly = <A>(list: readonly A[]): A | undefined => (list.length === 1 ? list[0] : undefined);

/** What queue and history say of a job: a number, its id, its workflow in API format, extra data and outputs. */
const isRecord = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string' && isApi(value[2]);

const inRecord = ([, , api, extra]: readonly unknown[]): readonly unknown[] => [api, uiInExtraData(extra)];

/** What the next level holds; the editor's file in extra data stands on the level of that. */
const membersIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? [...Object.values(value), uiInExtraData(value['extra_data'])] : [];
};

const uiInExtraData = (extra: unknown): unknown => objectOf(objectOf(extra)['extra_pnginfo'])['workflow'];

/** Pictures and other wrappers carry workflows as text. */
const asJson = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/u.test(value) ? parseJson(value, parseExactJson) : value;
