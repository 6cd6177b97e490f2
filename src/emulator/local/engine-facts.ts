/** The releases of the engine that a local server can play. */
export type Engine = '0.3.40' | '0.3.64';

/** What the releases of the engine do differently. */
export interface EngineFacts {
  /** Whether `POST /interrupt` reads the id of its body; else it ends what runs, whichever job that is. */
  readonly targetedInterrupt: boolean;
  /** Whether `prompt_id` of a submission becomes the id of the job; else the engine makes one. */
  readonly ownIds: boolean;
  /** Whether `partial_execution_targets` are read. */
  readonly partialTargets: boolean;
  /** Whether sockets negotiate flags, previews may name their job, and `progress_state` is sent. */
  readonly nodeStates: boolean;
  /** The versions of the editor and its templates that `GET /system_stats` shows besides the engine's. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Each release by its number, the oldest first. */
export const engines: Readonly<Record<Engine, EngineFacts>> = {
  '0.3.40': {
    ...{ targetedInterrupt: false, ownIds: false, partialTargets: false, nodeStates: false },
    versions: { required_frontend_version: '1.21.7' },
  },
  '0.3.64': {
    ...{ targetedInterrupt: true, ownIds: true, partialTargets: true, nodeStates: true },
    versions: {
      required_frontend_version: '1.27.10',
      installed_templates_version: '0.1.94',
      required_templates_version: '0.1.94',
    },
  },
};
