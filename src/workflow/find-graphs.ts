import { isApi, isUi, wrapperMembers } from './tell-format.js';
import { isJsonObject } from '../protocol/json/json.js';
import { parseExactJson } from '../protocol/json/exact-json.js';
import { parseJson } from '../protocol/json/parse-json.js';
import type { UiWorkflow } from './convert/ui-workflow.js';

/** What a workflow was found in: a file of its own, something around it, or the record of a job. */
export type GraphSource = 'file' | 'wrapper' | 'history';

/** The workflows that a value holds; neither where it holds none. */
export interface FoundGraphs {
  readonly from: GraphSource;
  /** In API format, not checked any further. */
  readonly api?: Json;
  readonly ui?: UiWorkflow;
}

type Json = Readonly<Record<string, unknown>>;

/** Looks for workflows of both formats in a parsed JSON value. */
export const findGraphs = (value: Json): FoundGraphs => {
  if (isApi(value)) return { from: 'file', api: value };
  if (isUi(value)) return { from: 'file', ui: value };
  const [record, ...others] = Object.values(value).filter(isRecord);
  if (isRecord(value)) return inRecord(value);
  return record !== undefined && others.length === 0 ? inRecord(record) : inWrapper(value);
};

/** A job in the history: `prompt` is a list of number, id, workflow, extra data and outputs. */
const isRecord = (value: unknown): value is Json & { readonly prompt: readonly unknown[] } =>
  isJsonObject(value) && Array.isArray(value['prompt']);

const inRecord = ({ prompt: [, , api, extra] }: { readonly prompt: readonly unknown[] }): FoundGraphs => ({
  from: 'history',
  ...(isApi(api) && { api }),
  ...withUi(uiInExtraData(extra)),
});

/** `{ prompt }`, `{ workflow, output }`, bodies of submissions, and details of jobs, which wrap such a body in `workflow`. */
const inWrapper = (value: Json): FoundGraphs => {
  const members = wrapperMembers.map((name) => asJson(value[name]));
  const inner = asJson(value['workflow']);
  if (isJsonObject(inner)) members.push(asJson(inner['prompt']));
  const api = members.find(isApi);
  const ui =
    members.find(isUi) ??
    uiInExtraData(value['extra_data']) ??
    (isJsonObject(inner) ? uiInExtraData(inner['extra_data']) : undefined);
  return { from: 'wrapper', ...(api !== undefined && { api }), ...withUi(ui) };
};

const uiInExtraData = (extra: unknown): UiWorkflow | undefined => {
  const info = isJsonObject(extra) ? extra['extra_pnginfo'] : undefined;
  const ui = isJsonObject(info) ? asJson(info['workflow']) : undefined;
  return isUi(ui) ? ui : undefined;
};

const withUi = (ui: UiWorkflow | undefined) => ui !== undefined && { ui };

/** Pictures carry their workflows as text. */
const asJson = (value: unknown): unknown =>
  typeof value === 'string' ? parseJson(value, parseExactJson) : value;
