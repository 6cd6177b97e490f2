/** An event of a job's life: none may be lost. */
export interface LifecycleEvent {
  readonly type: string;
  readonly data: { readonly node?: string | null | undefined; readonly [member: string]: unknown };
}

const nodes = Array.from({ length: 20 }, (_, at) => String(at + 1));

/** What the job has given out at its end. */
export const outputs: Readonly<Record<string, object>> = Object.fromEntries(
  nodes.map((node) => [node, { text: [node] }]),
);

/** The life of a job of twenty nodes, from start to success. */
export const lifecycle = (promptId: string): readonly LifecycleEvent[] => [
  { type: 'execution_start', data: { prompt_id: promptId, timestamp: 1 } },
  ...nodes.flatMap((node) => [
    { type: 'executing', data: { node, display_node: node, prompt_id: promptId } },
    { type: 'executed', data: { node, display_node: node, output: outputs[node], prompt_id: promptId } },
  ]),
  { type: 'execution_success', data: { prompt_id: promptId, timestamp: 1 } },
];

/** An event in one word. */
export const wordOf = ({ type, data: { node } }: LifecycleEvent): string => `${type} ${node ?? ''}`.trim();
