import { askDefinitions, type FindDefinitions } from './definition-operations.js';
import type { Assets } from '../v2/assets.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import type { GatewayService } from '../services/gateway-service.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { isApi, isUi } from '../../../workflow/tell-format.js';
import { json } from '../http/respond.js';
import { checkWidth } from '../v2/node-bounds.js';
import { objectOf } from '../../../workflow/values.js';
import type { PreflightReport } from '../../../workflow/preflight/report.js';
import { refusal, refusalOf } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import type { UiWorkflow } from '../../../workflow/convert/ui-workflow.js';
import type { Clock } from '../../../core/platform/platform.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import { answers, type Operations, takes } from '../openapi/operation.js';
import { preflightReport as reportCodec, preflightRequest } from '../contract/workflows.js';

/** The service and the assets that a preflight asks. */
export interface PreflightContext {
  readonly assets: Pick<Assets, 'prepare'>;
  readonly service: Pick<GatewayService, 'preflight'> | undefined;
  readonly definitions: FindDefinitions;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * `POST /preflight` with `{ "workflow": … }`, in API format or as the editor saves it: the report of `client.preflight`, to which files that
 * were uploaded to the gateway are there.
 */
export const preflightOperation =
  ({ assets, service, definitions, clock }: PreflightContext) =>
  async (call: RouteCall): Promise<Response | Refusal> => {
    const given = readWorkflow(await call.json());
    if (isLeft(given)) return given.left;
    if (service === undefined) return noService;
    const known = await askDefinitions(definitions);
    // Without node classes there is still a report of what the workflow itself tells.
    if (isLeft(known) && known.left.status !== 501) return known.left;
    const resolved = await resolve(assets, call, given.right);
    if (isLeft(resolved)) return resolved.left;
    const { workflow, uploaded } = resolved.right;
    const answer = await service.preflight(workflow, {
      definitions: isLeft(known) ? undefined : known.right.classes,
      files: (name) => (uploaded.has(name) ? 0 : undefined),
      signal: call.request.signal,
    })();
    if (isLeft(answer)) return refusalOf(answer.left);
    await turnForLarge(clock, answer.right);
    return json(shown(answer.right, given.right, uploaded));
  };

const readWorkflow = (body: unknown): Either<Refusal, Workflow | UiWorkflow> => {
  const { workflow, ...others } = preflightRequest.is(body) ? body : {};
  if (Object.keys(others).length > 0 || !(isUi(workflow) || isApi(workflow))) {
    const message =
      'The body takes `workflow`, in API format or as the editor saves it, and no other member.';
    return left(refusal(422, 'validation_error', message));
  }
  const tooWide = checkWidth(workflow);
  return tooWide === undefined ? right(workflow as Workflow | UiWorkflow) : left(tooWide);
};

/** A workflow with the service's names of files that were uploaded, and these names. */
const resolve = async (
  assets: PreflightContext['assets'],
  { caller }: RouteCall,
  given: Workflow | UiWorkflow,
): Promise<
  Either<Refusal, { readonly workflow: Workflow | UiWorkflow; readonly uploaded: ReadonlySet<string> }>
> => {
  // The editor's files have no references.
  if (isUi(given)) return right({ workflow: given, uploaded: new Set() });
  const before: Workflow = given;
  const prepared = await assets.prepare(caller, before);
  if (isLeft(prepared)) return prepared;
  const { workflow } = prepared.right;
  const uploaded = Object.entries(workflow).flatMap(([id, { inputs }]) =>
    Object.entries(objectOf(inputs)).flatMap(([name, value]) =>
      typeof value === 'string' && isJsonObject(objectOf(before[id]?.inputs)[name]) ? [value] : [],
    ),
  );
  return right({ workflow, uploaded: new Set(uploaded) });
};

/** The report, with the workflow as the caller gave it where it was in API format. */
const shown = (
  { workflow, uploads, ...report }: PreflightReport,
  given: Workflow | UiWorkflow,
  uploaded: ReadonlySet<string>,
): PreflightReport => ({
  ...report,
  ...(workflow !== undefined && { workflow: isUi(given) ? workflow : given }),
  uploads: uploads.filter(({ name }) => !uploaded.has(name)),
});

const noService: Refusal = refusal(
  501,
  'not_implemented',
  'This gateway has no client that could check a workflow.',
);

/** What OpenAPI tells of this operation. */
export const preflightDescriptions: Operations = {
  'POST /preflight': {
    ...{ id: 'preflight', tag: 'Workflows', summary: 'Check a workflow before it is submitted' },
    body: takes(preflightRequest),
    answers: { 200: answers('What the service would do with it, and what it takes.', reportCodec) },
    refusals: [400, 413, 422, 501, 503],
  },
};
