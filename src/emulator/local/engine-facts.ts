import type { Engine } from './engine.js';
import type { Switches } from '../switches.js';

/** What the releases of the engine do differently. */
export interface EngineFacts {
  /** Whether `POST /interrupt` reads the id of its body; else it ends what runs, whichever job that is. */
  readonly targetedInterrupt: boolean;
  /** Whether `prompt_id` of a submission becomes the id of the job; else the engine makes one. */
  readonly ownIds: boolean;
  /** Whether that id has to be a UUID. */
  readonly checksIds: boolean;
  /** Whether `partial_execution_targets` are read. */
  readonly partialTargets: boolean;
  /** Whether sockets negotiate flags, previews may name their job, and `progress_state` is sent. */
  readonly nodeStates: boolean;
  /** Whether `extra_data` of queue and history has the time of the submission. */
  readonly createTime: boolean;
  /** Whether there is `GET /api/jobs`; the queue shows no credentials from then on. */
  readonly jobsApi: boolean;
  /** Whether the jobs API calls an interrupted job `cancelled`; else `failed`. */
  readonly cancelledWord: boolean;
  /** Whether the jobs API cancels. */
  readonly jobsCancel: boolean;
  /** Whether the jobs API takes texts that name 3D files for files. */
  readonly modelTexts: boolean;
  /** Whether the jobs API previews texts, and prefers media to them. */
  readonly textPreviews: 'none' | 'as they come' | 'last';
  /** Whether the jobs API counts what can be previewed. */
  readonly previewableCount: boolean;
  /** Whether a job in the jobs API has its workflow before it has ended. */
  readonly workflowWhileQueued: boolean;
  /** Whether the values of the newer form of choices are checked. */
  readonly checksNewCombos: boolean;
  /** Whether a cycle of nodes is named in the refusal. */
  readonly namesCycles: boolean;
  /** Whether a view forbids to guess media types, and sends what a page would run as an attachment. */
  readonly guardsViews: boolean;
  /** The switches that this release has other than the first one. */
  readonly switches: Partial<Switches>;
  /** The versions of the engine, its editor and its templates, as `GET /system_stats` shows them. */
  readonly versions: Readonly<Record<string, string>>;
}

const engine0340: EngineFacts = {
  targetedInterrupt: false,
  ownIds: false,
  checksIds: false,
  partialTargets: false,
  nodeStates: false,
  createTime: false,
  jobsApi: false,
  cancelledWord: false,
  jobsCancel: false,
  modelTexts: false,
  textPreviews: 'none',
  previewableCount: false,
  workflowWhileQueued: false,
  checksNewCombos: false,
  namesCycles: false,
  guardsViews: false,
  switches: {},
  versions: { comfyui_version: '0.3.40', required_frontend_version: '1.21.7' },
};

const engine0364: EngineFacts = {
  ...engine0340,
  ...{ targetedInterrupt: true, ownIds: true, partialTargets: true, nodeStates: true },
  versions: {
    comfyui_version: '0.3.64',
    required_frontend_version: '1.27.10',
    installed_templates_version: '0.1.94',
    required_templates_version: '0.1.94',
  },
};

const engine06: EngineFacts = {
  ...engine0364,
  ...{ createTime: true, jobsApi: true },
  versions: { ...engine0364.versions, comfyui_version: '0.6.0' },
};

const engine09: EngineFacts = {
  ...engine06,
  ...{ cancelledWord: true, checksNewCombos: true },
  versions: { ...engine0364.versions, comfyui_version: '0.9.0' },
};

const engine026: EngineFacts = {
  ...engine09,
  ...{ checksIds: true, jobsCancel: true, modelTexts: true, textPreviews: 'as they come', namesCycles: true },
  switches: { missingNode: 'missing_node_type', nodeReplacements: true },
  versions: { ...engine0364.versions, comfyui_version: '0.26.0', deploy_environment: 'local-git' },
};

const latest: EngineFacts = {
  ...engine026,
  ...{ textPreviews: 'last', previewableCount: true, workflowWhileQueued: true, guardsViews: true },
  switches: { ...engine026.switches, modelOutputs: 'listed', fileMetadata: true, stillPreviews: true },
  versions: { ...engine026.versions, comfyui_version: '0.38.1' },
};

/** Each release by its number, the oldest first. */
export const engines: Readonly<Record<Engine, EngineFacts>> = {
  '0.3.40': engine0340,
  '0.3.64': engine0364,
  '0.6': engine06,
  '0.9': engine09,
  '0.26': engine026,
  latest,
};
