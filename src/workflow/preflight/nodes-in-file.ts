import { type Json, listOf, objectOf } from '../values.js';
import { namedPacks } from '../convert/named-packs.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';

/** The nodes of the root of a file, and of each definition of a subgraph. */
export const nodesInFile = (ui: UiWorkflow): readonly Json[] =>
  [ui, ...listOf(objectOf(ui['definitions'])['subgraphs'])]
    .flatMap((graph) => listOf(objectOf(graph)['nodes']))
    .map(objectOf);

/** The pack of each class, where the file names one: as the registry has it, or else its repository. */
export const packsInFile = (ui: UiWorkflow): ReadonlyMap<unknown, string> =>
  new Map(
    nodesInFile(ui).flatMap((node) => {
      const [pack] = namedPacks(node);
      return pack === undefined ? [] : [[node['type'], pack] as const];
    }),
  );
