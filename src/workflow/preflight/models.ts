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
  const inInputs = models
    .filter(({ isListed }) => !isListed)
    .map(({ name, nodeId, input }): NamedModel => {
      const known = listed.find((model) => isSameFile(model.name, name));
      const { url, directory } = known ?? {};
      return {
        ...{ name, nodeId, input },
        ...(url !== undefined && { url }),
        ...(directory !== undefined && { directory }),
      };
    });
  const others = withoutRepetitions(
    listed.filter((model) => !models.some(({ name }) => isSameFile(name, model.name))),
  );
  const folderOf = ({ directory }: NamedModel): readonly string[] | undefined =>
    directory !== undefined && Object.hasOwn(folders, directory) ? folders[directory] : undefined;
  const isMissing = (model: NamedModel): boolean =>
    folderOf(model)?.some((name) => isSameFile(name, model.name)) === false;
  return {
    missing: [...inInputs, ...others.filter(isMissing)],
    unknown: others.filter((model) => folderOf(model) === undefined),
  };
};

/** Servers and files separate folders in different ways, and the file may leave them out. */
const isSameFile = (one: string, other: string): boolean => fileOf(one) === fileOf(other);

const withoutRepetitions = (models: readonly NamedModel[]): readonly NamedModel[] =>
  models.filter(
    ({ name, directory }, at) =>
      models.findIndex((other) => other.name === name && other.directory === directory) === at,
  );
