import { fileOf, listedModels } from './listed-models.js';
import type { NamedFile } from './named-files.js';
import type { NamedModel } from './report.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';

/** The files of models that a service has, by folder (`checkpoints`, `loras`, …). */
export type ModelFolders = Readonly<Record<string, readonly string[]>>;

/**
 * Finds the models that a service lacks: those that an input names and its list lacks, and those that only the file lists and their folder
 * lacks. `unknown` are those of a folder of which nothing is known.
 */
export const findModels = (
  files: readonly NamedFile[],
  ui: UiWorkflow | undefined,
  folders: ModelFolders = {},
): { readonly missing: readonly NamedModel[]; readonly unknown: readonly NamedModel[] } => {
  const models = files.filter(({ isUploaded }) => !isUploaded);
  const listed = ui === undefined ? [] : listedModels(ui);
  // Servers and files separate folders in different ways, and the file may leave them out.
  const listedOf = new Map(listed.toReversed().map((model) => [fileOf(model.name), model]));
  const named = new Set(models.map(({ name }) => fileOf(name)));
  const inInputs = models
    .filter(({ isListed }) => !isListed)
    .map(({ name, nodeId, input }): NamedModel => {
      const { url, directory }: Partial<NamedModel> = listedOf.get(fileOf(name)) ?? {};
      return {
        ...{ name, nodeId, input },
        ...(url !== undefined && { url }),
        ...(directory !== undefined && { directory }),
      };
    });
  const others = withoutRepetitions(listed.filter(({ name }) => !named.has(fileOf(name))));
  const filesOf = new Map(
    Object.entries(folders).map(([folder, names]) => [folder, new Set(names.map(fileOf))]),
  );
  const folderOf = ({ directory }: NamedModel): ReadonlySet<string> | undefined =>
    directory === undefined ? undefined : filesOf.get(directory);
  const isMissing = (model: NamedModel): boolean => folderOf(model)?.has(fileOf(model.name)) === false;
  return {
    missing: [...inInputs, ...others.filter(isMissing)],
    unknown: others.filter((model) => folderOf(model) === undefined),
  };
};

/** The first of each name and folder. */
const withoutRepetitions = (models: readonly NamedModel[]): readonly NamedModel[] => {
  const first = new Map(
    models.toReversed().map((model) => [JSON.stringify([model.name, model.directory]), model]),
  );
  return models.filter((model) => first.get(JSON.stringify([model.name, model.directory])) === model);
};
