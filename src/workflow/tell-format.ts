import { isJsonObject } from '../core/protocol/json/json.js';

type Json = Readonly<Record<string, unknown>>;

/** An object with at least one node is in API format, even if a node has the name of a wrapper, such as `prompt`. */
export const isApi = (value: unknown): value is Json =>
  isJsonObject(value) && Object.values(value).some(isApiNode);

/** Whether a member of an object is a node of the API format. */
export const isApiNode = (value: unknown): value is Json =>
  isJsonObject(value) && typeof value['class_type'] === 'string';

/** Any version of the editor's format; its `version` does not count. */
export const isUi = (value: unknown): value is Json & { readonly nodes: readonly unknown[] } =>
  isJsonObject(value) &&
  Array.isArray(value['nodes']) &&
  (['links', 'last_node_id', 'state', 'version'].some((name) => Object.hasOwn(value, name)) ||
    value['nodes'].some((node) => isJsonObject(node) && typeof node['type'] === 'string'));

/** The members that a wrapper keeps a workflow in. */
export const wrapperMembers = ['prompt', 'output', 'workflow'] as const;
