import type { ModelFolders } from './models.js';
import type { Rules } from '../validate/rules.js';
import type { UiWorkflow } from '../convert/ui-workflow.js';

/** What is known of a service and of the workflow besides the node classes; all of it may be absent. */
export interface PreflightFacts {
  /** What `client.rest.features()` answered: absent means unknown. */
  readonly features?: unknown;
  /** What `client.rest.nodeReplacements()` answered: which classes the service replaces. */
  readonly replacements?: unknown;
  /** The models that the service has, by folder, for those that only the editor's file names. */
  readonly models?: ModelFolders | undefined;
  /** The editor's file of a workflow in API format, which names packs, and addresses and folders of models. */
  readonly ui?: UiWorkflow | undefined;
  /** The sizes in bytes of files that the caller will upload, by the name that an input gives to them. */
  readonly files?: Readonly<Record<string, number>> | undefined;
  /** The output nodes that are to run, as in a submission; default all of them. */
  readonly targets?: readonly string[] | undefined;
  /** Whose rules hold, as for `validateWorkflow`. */
  readonly rules?: Rules | undefined;
}
