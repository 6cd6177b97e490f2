import * as E from '../../core/protocol/either.js';
import type { CallOptions } from '../../core/http/rest-options.js';
import type { Endpoint } from '../../core/endpoints/endpoint.js';
import { modelFilesEndpoint } from '../../core/endpoints/model-files.js';
import type { PreflightOptions } from './preflight-options.js';
import type { PreflightFacts } from '../../workflow/preflight/facts.js';
import { reporting } from '../../workflow/preflight/preflight-report.js';
import { inSlices } from '../../core/platform/in-slices.js';
import type { Clock } from '../../core/platform/platform.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Steps } from '../../core/protocol/steps.js';
import type { PreflightReport } from '../../workflow/preflight/report.js';
import type { RedactValue } from '../../core/redaction/redact-value.js';
import type { Rest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { UiWorkflow } from '../../workflow/convert/ui-workflow.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Calls an endpoint of the service. */
type AskServer = <A>(endpoint: Endpoint<A>, options: CallOptions) => Promise<E.Either<ServiceError, A>>;

/** What the preflight of a client works with. */
export interface PreflightTools {
  readonly ask: AskServer;
  readonly redactValue: RedactValue;
  readonly rest: Pick<Rest, 'objectInfo' | 'features' | 'nodeReplacements'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/**
 * Gathers the facts for a report and makes it, in slices of time. Node classes and features are asked for at once; replacements only where a class is missing,
 * and folders of models only where no other answer names the model. What the service does not answer is unknown; without node classes it
 * is Left, unless the service has no route for them.
 */
export const preflight = async (
  { ask, redactValue, rest, clock }: PreflightTools,
  workflow: Workflow | UiWorkflow,
  { ui, targets, rules, definitions, files = {}, ...call }: PreflightOptions = {},
): Promise<E.Either<ServiceError, PreflightReport>> => {
  const [classes, features] = await Promise.all([
    definitions === undefined ? rest.objectInfo({ ...call, userModels: true })() : E.right(definitions),
    rest.features(call)(),
  ]);
  if (E.isLeft(classes) && classes.left._tag !== 'NotSupported') return classes;
  const report = (more: PreflightFacts): Promise<PreflightReport> =>
    inSlices(
      reporting(workflow, rightOf(classes), { ui, targets, rules, features: rightOf(features), ...more }),
      clock,
    );

  const first = await report({});
  const lacksClasses = first.missingClasses.length > 0;
  const replacements = lacksClasses ? rightOf(await rest.nodeReplacements(call)()) : undefined;
  const second = replacements === undefined ? first : await report({ replacements });
  const { unknownModels, uploads } = second;
  const filesIn = async (folder: string): Promise<readonly string[] | undefined> =>
    rightOf(await ask(modelFilesEndpoint(folder, 'experiment/models'), call)) ??
    rightOf(await ask(modelFilesEndpoint(folder, 'models'), call));
  const [models, sizes] = await Promise.all([
    entriesOf(foldersOf(unknownModels), filesIn),
    typeof files === 'function'
      ? entriesOf(
          uploads.map(({ name }) => name),
          async (name) => files(name),
        )
      : files,
  ]);
  // A report takes as long as the workflow is large.
  const isSame = Object.keys(models).length + Object.keys(sizes).length === 0;
  const { problems, ...found } = isSame ? second : await report({ replacements, models, files: sizes });
  return E.right({ ...found, problems: await inSlices(redacting(problems, redactValue), clock) });
};

function* redacting(problems: readonly Problem[], redactValue: RedactValue): Steps<readonly Problem[]> {
  const safe: Problem[] = [];
  for (const problem of problems) {
    safe.push(redactValue(problem));
    yield;
  }
  return safe;
}

const rightOf = <A>(answer: E.Either<unknown, A>): A | undefined =>
  E.isRight(answer) ? answer.right : undefined;

/** A workflow may name any folder, and each of them is a request or two. */
const maxFolders = 50;

const foldersOf = (models: PreflightReport['unknownModels']): readonly string[] =>
  [...new Set(models.flatMap(({ directory }) => directory ?? []))].slice(0, maxFolders);

/** Looks each name up once; what is not found is left out. */
const entriesOf = async <A>(
  names: readonly string[],
  find: (name: string) => Promise<A | undefined>,
): Promise<Readonly<Record<string, A>>> => {
  const found = new Map<string, A>();
  const look = async (name: string): Promise<void> => {
    const value = await find(name);
    if (value !== undefined) found.set(name, value);
  };
  await Promise.all([...new Set(names)].map(look));
  return Object.fromEntries(found);
};
