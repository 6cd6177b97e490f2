import { answerCall } from './answer-call.js';
import { answerOf, wantsReplay } from '../v2/submit-job.js';
import type { AddressContext } from './file-of-address.js';
import { bringFiles } from './bring-files.js';
import { type CallBody, readCall } from './read-call.js';
import { checkNames } from '../v2/input-names.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { fillTemplate } from './fill-template.js';
import { fillWorkflow, typesOfInputs } from './fill-workflow.js';
import type { GatewaySubmission } from '../model/gateway-jobs.js';
import type { GatewayTemplate } from '../templates.js';
import type { KnownTemplates } from '../saved-templates/known-templates.js';
import { templateNotFound } from '../saved-templates/template-refusals.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { jobSubmission, submissionForm, templateSubmission } from '../contract/requests.js';
import { membersOf } from '../contract/shapes.js';
import { nativeJob } from '../native/native-job.js';
import { readIdempotencyKey, readSubmission } from '../v2/read-submission.js';
import { readMetadata } from '../v2/metadata.js';
import { readRegistration } from '../webhooks/read-registration.js';
import { readWait } from './preference.js';
import { sendsNone } from '../webhooks/sends-none.js';
import type { WebhookRegistration } from '../model/webhooks.js';
import type { Refusal } from '../http/refusal.js';
import type { Route, RouteCall } from '../http/route.js';
import type { RouteContext } from '../v2/context.js';
import { textValue } from './text-value.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import { jsonOf, type Operations } from '../openapi/operation.js';
import { callAnswers, callHeaders, callQuery } from '../openapi/parameters.js';

/** The context of routes, with the limits of calls and the reader of their results. */
export interface CallContext extends RouteContext, AddressContext {
  /** How long a call may wait for its job. */
  readonly maxWaitMs: number;
  /** Hosts that webhooks may have although they are not public. */
  readonly webhookHosts: readonly string[];
  /** Reads the bytes of a file of a job. */
  readonly output: Route['handle'];
}

/** What a call submits, once its values have their types and its files are stored. */
interface Subject {
  readonly typeOf: (input: string) => unknown;
  readonly fill: (inputs: Readonly<Record<string, unknown>>) => Either<Refusal, Submission>;
}

type Submission = Pick<GatewaySubmission, 'workflow' | 'metadata' | 'extraData' | 'partnerKey' | 'template'>;

/** Submissions by one request, which waits for the end of its job where `Prefer: wait` asks for that. */
export const callOperations = (context: CallContext, templates: Pick<KnownTemplates, 'find'>) => ({
  /** A job of a workflow, and of values for its inputs by name. */
  workflow: (call: RouteCall): Promise<Response | Refusal> =>
    submitted(context, call, membersOf(jobSubmission), subjectOfWorkflow),
  /** A job of a template. */
  template: async (call: RouteCall): Promise<Response | Refusal> => {
    const { name = '' } = call.params;
    const template = await templates.find(call, name);
    return template === undefined
      ? templateNotFound
      : submitted(context, call, membersOf(templateSubmission), (body) =>
          subjectOfTemplate(name, template, body),
        );
  },
});

const submitted = async (
  context: CallContext,
  call: RouteCall,
  members: ReadonlySet<string>,
  subjectOf: (body: CallBody) => Either<Refusal, Subject>,
): Promise<Response | Refusal> => {
  const { jobs, maxWaitMs, output } = context;
  const { caller, request, url } = call;
  const asked = await readWhole(context, call, members, subjectOf);
  if (isLeft(asked)) return asked.left;
  const { submission, webhook, inputs } = asked.right;

  const waitMs = readWait(request.headers.get('prefer'), maxWaitMs);
  // Checked before a job is made: a caller that may not wait is refused without one.
  const isWaiting = waitMs !== undefined && call.wait();
  const replay = isWaiting || wantsReplay(request);
  const result = await jobs.submit(caller, { ...submission, replay });
  if (result._tag === 'accepted' && webhook !== undefined) {
    const ofJob = { id: result.job.record.id, owner: caller.name, base: call.base, inputs };
    await jobs.webhooks?.putOfJob(ofJob, webhook);
  }
  if (!isWaiting || result._tag !== 'accepted' || (result.error !== undefined && !result.replayed)) {
    return answerOf(call, result, ({ base }, { job }) => nativeJob(job, base));
  }
  const job = await jobs.ended(result.job, { withinMs: waitMs, left: request.signal });
  if (request.signal.aborted && url.searchParams.get('on-leave') === 'cancel') {
    await jobs.cancel(caller, job.record.id);
  }
  return answerCall(call, job, { output, waitMs, replayed: result.replayed });
};

/** The request of a call, fully checked. */
interface AskedJob {
  readonly submission: GatewaySubmission;
  readonly webhook: WebhookRegistration | undefined;
  /** The values that the call named, files by reference. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

const readWhole = async (
  context: CallContext,
  call: RouteCall,
  known: ReadonlySet<string>,
  subjectOf: (body: CallBody) => Either<Refusal, Subject>,
): Promise<Either<Refusal, AskedJob>> => {
  const { caller, request } = call;
  const key = readIdempotencyKey(request.headers.get('idempotency-key'));
  if (isLeft(key)) return key;
  const read = await readCall(call, known);
  if (isLeft(read)) return read;
  const unfit = checkNames(Object.keys(read.right.inputs));
  if (unfit !== undefined) return left(unfit);
  const { webhook: given, ...members } = read.right.members;
  const body = { ...read.right, members };
  const webhook = readWebhook(context, given);
  if (isLeft(webhook)) return webhook;
  const subject = subjectOf(body);
  if (isLeft(subject)) return subject;
  const brought = await bringFiles(context, call, typed(body, subject.right));
  if (isLeft(brought)) return brought;
  // Its inputs have been found in this turn, and are set in another one; what it names is looked for in a third.
  await turnForLarge(context.clock, members['workflow']);
  const filled = subject.right.fill(brought.right);
  if (isLeft(filled)) return filled;
  await turnForLarge(context.clock, filled.right.workflow);
  const prepared = await context.assets.prepareJob(caller, filled.right.workflow);
  if (isLeft(prepared)) return prepared;
  const { workflow: resolved, client, files } = prepared.right;
  return right({
    submission: { ...filled.right, resolved, client, files, key: key.right },
    webhook: webhook.right,
    inputs: brought.right,
  });
};

/** Reads the webhook that comes with a submission. */
const readWebhook = (
  { jobs, webhookHosts }: CallContext,
  webhook: unknown,
): Either<Refusal, WebhookRegistration | undefined> => {
  if (webhook === undefined) return right(undefined);
  return jobs.webhooks === undefined ? left(sendsNone) : readRegistration(webhook, webhookHosts);
};

/** Gives the texts of a form the types of their inputs. */
const typed = ({ inputs, texts }: CallBody, { typeOf }: Subject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      texts.has(name) ? textValue(String(value), typeOf(name)) : value,
    ]),
  );

const subjectOfWorkflow = ({ members }: CallBody): Either<Refusal, Subject> => {
  const read = readSubmission(members);
  if (isLeft(read)) return read;
  const { workflow } = read.right;
  return right({
    typeOf: typesOfInputs(workflow),
    fill: (inputs) => {
      const filled = fillWorkflow(workflow, inputs);
      return isLeft(filled) ? filled : right({ ...read.right, workflow: filled.right });
    },
  });
};

const subjectOfTemplate = (
  name: string,
  template: GatewayTemplate,
  { members }: CallBody,
): Either<Refusal, Subject> => {
  const metadata = readMetadata(members['metadata']);
  if (isLeft(metadata)) return metadata;
  const { properties } = template.jsonSchema;
  return right({
    typeOf: (input) => {
      const schema =
        isJsonObject(properties) && Object.hasOwn(properties, input) ? properties[input] : undefined;
      return isJsonObject(schema) ? schema['type'] : undefined;
    },
    fill: (inputs) => {
      const filled = fillTemplate(template, inputs);
      return isLeft(filled)
        ? filled
        : right({ workflow: filled.right, metadata: metadata.right, template: name });
    },
  });
};

const form = { 'multipart/form-data': submissionForm };

/** What OpenAPI tells of these operations. */
export const callDescriptions: Operations = {
  'POST /jobs': {
    ...{
      id: 'submitJob',
      tag: 'Jobs',
      summary: 'Submit a workflow with values for its inputs, and wait for it',
    },
    query: callQuery,
    headers: callHeaders,
    body: { content: { ...jsonOf(jobSubmission), ...form }, required: true },
    answers: callAnswers,
    refusals: [400, 402, 406, 413, 422],
  },
  'POST /templates/:name': {
    ...{ id: 'submitTemplate', tag: 'Templates', summary: 'Submit a job of a template, and wait for it' },
    query: callQuery,
    headers: callHeaders,
    body: { content: { ...jsonOf(templateSubmission), ...form }, required: false },
    answers: callAnswers,
    refusals: [400, 402, 404, 406, 413, 422],
  },
};
