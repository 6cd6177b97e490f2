import { isJsonObject } from '../../core/protocol/json/json.js';
import type { PreflightReport } from '../../workflow/preflight/report.js';
import type { Remote } from './remote.js';
import type { UiWorkflow } from '../../workflow/convert/ui-workflow.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Asks the gateway whether a workflow can run on its service and what it takes, before it costs anything; submits nothing.
 *
 * The workflow is in API format, or a file of the editor, which is converted: the report's `workflow` is what to run. Each of its problems
 * names node and input, with a `fix` where one is certain. The verdict is `unknown` where the service gives no node classes. Files that were uploaded to the gateway count as there. Rejects with a
 * `ServiceError`: `BadRequest` for what is no workflow, `NotSupported` where the gateway has no client that could ask.
 *
 * @example
 * ```ts
 * import { preflight, type Remote } from 'promptwire/remote';
 * import type { Workflow } from 'promptwire';
 *
 * const isReady = async (remote: Remote, workflow: Workflow): Promise<boolean> =>
 *   (await preflight(remote, workflow)).verdict === 'accepted';
 * ```
 */
export const preflight = (
  { ask }: Pick<Remote, 'ask'>,
  workflow: Workflow | UiWorkflow,
): Promise<PreflightReport> =>
  ask({ method: 'POST', path: '/preflight', json: { workflow } }, (answer) =>
    isJsonObject(answer) && typeof answer['verdict'] === 'string' && Array.isArray(answer['problems'])
      ? (answer as unknown as PreflightReport)
      : undefined,
  );
