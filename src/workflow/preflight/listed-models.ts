import { idOf, listOf, objectOf, textOf } from '../values.js';
import type { NamedModel } from './report.js';
import { nodesInFile } from './nodes-in-file.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';

/**
 * Lists the models that a file of the editor names, of the file as a whole and of its nodes, with their address and folder; those inside
 * subgraphs as well.
 *
 * A name may come several times. Whether the service has them is for `preflightReport`.
 *
 * @example
 * ```ts
 * import { listedModels, type UiWorkflow } from 'promptwire/workflow';
 *
 * const addresses = (file: UiWorkflow): string[] => listedModels(file).flatMap(({ url }) => url ?? []);
 * ```
 */
export const listedModels = (ui: UiWorkflow): readonly NamedModel[] => [
  ...listOf(ui['models']).flatMap((model) => modelOf(model)),
  ...nodesInFile(ui).flatMap(({ id, properties }) =>
    listOf(objectOf(properties)['models']).flatMap((model) => modelOf(model, idOf(id))),
  ),
];

const modelOf = (model: unknown, nodeId?: string): readonly NamedModel[] => {
  const { name, url, directory } = objectOf(model);
  if (typeof name !== 'string') return [];
  const [address, folder] = [textOf(url), textOf(directory)];
  return [
    {
      name,
      ...(nodeId !== undefined && { nodeId }),
      ...(address !== undefined && { url: address }),
      ...(folder !== undefined && { directory: folder }),
    },
  ];
};

/** The last part of a path, of either kind of separator. */
export const fileOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
