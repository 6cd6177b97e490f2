/**
 * What a node of the editor is for the conversion.
 *
 * `drop` nodes only show or switch something in the editor, or write values there, which the nodes that they are linked to keep. `everywhere` nodes make links when the editor queues, by rules
 * that only their own code knows. `editor` nodes have values that only their own code in the editor can read.
 */
export type NodeKind =
  'class' | 'subgraph' | 'group' | 'reroute' | 'primitive' | 'set' | 'get' | 'drop' | 'everywhere' | 'editor';

/** How the caller of a conversion has nodes of a type treated that no server runs. */
export type VirtualNode = 'drop' | 'reroute' | 'set' | 'get' | 'class';

/** The kind of a type that is no subgraph; what the caller says of it counts more than what is known. */
export const kindOfType = (
  type: string,
  virtualNodes: Readonly<Record<string, VirtualNode>> = {},
): NodeKind =>
  (Object.hasOwn(virtualNodes, type) ? virtualNodes[type] : undefined) ??
  kinds.find(([, pattern]) => pattern.test(type))?.[0] ??
  'class';

const kinds: readonly (readonly [kind: NodeKind, types: RegExp])[] = [
  ['group', /^workflow[>/]/u],
  ['reroute', /^(?:Reroute(?: \(rgthree\)|Primitive\|pysssss)?|Node (?:Collector|Combiner) \(rgthree\))$/u],
  ['primitive', /^PrimitiveNode$/u],
  ['set', /^(?:S|easy s)etNode$/u],
  ['get', /^(?:G|easy g)etNode$/u],
  ['editor', /^PresetText\|pysssss$/u],
  ['everywhere', /^(?:Anything|Prompts) Everywhere\d*\??$/u],
  [
    'drop',
    /^(?:VHS_SelectLatest|(?:Markdown)?Note|Note\+? ?(?:Plus )?\(mtb\)|easy bookmark|(?:Fast .*(?:Muter|Bypasser)|Fast Actions Button|Bookmark|Label|Mute \/ Bypass (?:Relay|Repeater)|Random Unmuter|Power Conductor)(?: \(rgthree\))?)$/u,
  ],
];

/** Whether a type is an id of a subgraph rather than the name of a class. */
export const isSubgraphId = (type: string): boolean =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(type);

/** Names that the editor still mends when it loads a file. */
export const currentType = (type: string): string => renamed.get(type) ?? type;

const renamed: ReadonlyMap<string, string> = new Map([
  ['T2IAdapterLoader', 'ControlNetLoader'],
  ['ConditioningAverage ', 'ConditioningAverage'],
  ['SDV_img2vid_Conditioning', 'SVD_img2vid_Conditioning'],
]);
