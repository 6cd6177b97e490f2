/**
 * What a node of the editor is for the conversion.
 *
 * `drop` nodes only show or switch something in the editor. `everywhere` nodes make links when the editor queues, by rules
 * that only their own code knows. `editor` nodes have values that only their own code in the editor can read.
 */
export type NodeKind =
  'class' | 'subgraph' | 'group' | 'reroute' | 'primitive' | 'set' | 'get' | 'drop' | 'everywhere' | 'editor';

/** The kind of a type that is no subgraph. */
export const kindOfType = (type: string): NodeKind =>
  kinds.get(type) ??
  (groupName(type) !== undefined
    ? 'group'
    : switchNode.test(type)
      ? 'drop'
      : everywhere.test(type)
        ? 'everywhere'
        : 'class');

const kinds: ReadonlyMap<string, NodeKind> = new Map<string, NodeKind>([
  ['Note', 'drop'],
  ['MarkdownNote', 'drop'],
  ['Reroute', 'reroute'],
  ['Reroute (rgthree)', 'reroute'],
  ['ReroutePrimitive|pysssss', 'reroute'],
  ['Node Collector (rgthree)', 'reroute'],
  ['PrimitiveNode', 'primitive'],
  ['SetNode', 'set'],
  ['easy setNode', 'set'],
  ['GetNode', 'get'],
  ['easy getNode', 'get'],
  ['Power Lora Loader (rgthree)', 'editor'],
]);

const switchNode =
  /^(?:Fast .*(?:Muter|Bypasser)|Fast Actions Button|Bookmark|Label|Mute \/ Bypass (?:Relay|Repeater)|Random Unmuter)(?: \(rgthree\))?$/u;

const everywhere = /^(?:Anything|Prompts|Seed) Everywhere\d*\??$/u;

/** The name of the group node that a type stands for: `workflow>name`, or `workflow/name` in files of 2024 and before. */
export const groupName = (type: string): string | undefined =>
  type.startsWith('workflow>') || type.startsWith('workflow/') ? type.slice('workflow>'.length) : undefined;

/** Whether a type is an id of a subgraph rather than the name of a class. */
export const isSubgraphId = (type: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu.test(type);

/** Names that the editor still mends when it loads a file. */
export const currentType = (type: string): string => renamed.get(type) ?? type;

const renamed: ReadonlyMap<string, string> = new Map([
  ['T2IAdapterLoader', 'ControlNetLoader'],
  ['ConditioningAverage ', 'ConditioningAverage'],
  ['SDV_img2vid_Conditioning', 'SVD_img2vid_Conditioning'],
]);
