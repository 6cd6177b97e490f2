import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What names a node. */
export interface NodeFacts {
  readonly id: string;
  readonly class: string;
  readonly title?: string;
}

/** The nodes of a workflow in its order; entries that are no nodes are left out. */
export const factsOf = (workflow: Workflow): readonly NodeFacts[] =>
  Object.entries((workflow as Readonly<Record<string, unknown>> | null) ?? {}).flatMap(([id, node]) => {
    if (!isJsonObject(node)) return [];
    const { class_type: className, _meta: meta } = node;
    const title = isJsonObject(meta) ? meta['title'] : undefined;
    return [
      {
        id,
        class: typeof className === 'string' ? className : '',
        ...(typeof title === 'string' && title !== '' && { title }),
      },
    ];
  });
