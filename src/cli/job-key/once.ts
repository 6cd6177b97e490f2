import { createHash } from 'node:crypto';
import { errorCode } from '../error-code.js';
import { type JobRecord, readJobRecord, recordFile, type RecordFile } from './job-record.js';
import { serviceError, type ServiceError } from '../../node.js';
import { jobCommand } from '../report/reach.js';
import type { Session } from '../run-command.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { UsageError } from '../cli-io.js';
import { writeExactJson } from '../../workflow.js';

/** Options of {@link openKeyedSubmission}. */
export interface KeyedSubmissionOptions {
  /** The state folder. */
  readonly folder: string;
  readonly jobKey: string;
  /** Address of the service as given. */
  readonly baseUrl: string;
  /** The submitted workflow, or what it is made of; a key belongs to one. */
  readonly workflow: unknown;
  /** The options that a command which goes on needs. */
  readonly reach: string;
}

/** The single submission of a job key: call `begin` before the request, then exactly one of the others. */
export interface KeyedSubmission {
  /** The job of an earlier run with this key. */
  readonly promptId: string | undefined;
  /** Records the intent to submit; throws where another process was faster. */
  readonly begin: () => Promise<void>;
  /** The service accepted it. */
  readonly accepted: (promptId: string) => Promise<void>;
  /** It was certainly not accepted: the key may be used again. */
  readonly refused: () => Promise<void>;
}

/**
 * Reads the record of a job key.
 *
 * Throws `OutcomeUnknown` where an earlier run recorded an intent without an answer, and `UsageError` where the key belongs
 * to another workflow or service, or the record can't be read.
 */
export const openKeyedSubmission = async ({
  folder,
  jobKey,
  baseUrl,
  workflow,
  reach,
}: KeyedSubmissionOptions): Promise<KeyedSubmission> => {
  const file = recordFile(folder, jobKey);
  const intent: JobRecord = {
    service: withoutCredentials(baseUrl),
    workflow: createHash('sha256').update(writeExactJson(workflow)).digest('hex'),
    startedAt: new Date().toISOString(),
  };
  const text = await file.read().catch(unusable(file));
  return {
    promptId: text === undefined ? undefined : promptIdOf(text, { intent, file, reach }),
    begin: async () => {
      if (!(await file.create(intent).catch(unusable(file)))) throw unknownOutcome(file);
    },
    accepted: (promptId) => file.replace({ ...intent, promptId }),
    refused: () => file.remove(),
  };
};

const withoutCredentials = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) throw new UsageError('PROMPTWIRE_BASE_URL is no address');
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/u, '')}`;
};

interface KeyedIntent {
  readonly intent: JobRecord;
  readonly file: RecordFile;
  readonly reach: string;
}

const promptIdOf = (text: string, { intent, file, reach }: KeyedIntent): string => {
  const record = readJobRecord(text);
  if (record?.service !== undefined && record.service !== intent.service) {
    throw new UsageError(
      `this --job-key belongs to a job of ${record.service}; take another key for ${intent.service} (${file.path})`,
    );
  }
  if (record?.promptId === undefined) throw unknownOutcome(file, record?.startedAt);
  if (record.workflow !== intent.workflow) {
    throw new UsageError(
      `this --job-key belongs to a job with another workflow, ${record.promptId}: take another key for this one, or ` +
        `watch that one: ${jobCommand('follow', record.promptId, reach)} (${file.path})`,
    );
  }
  return record.promptId;
};

const unknownOutcome = ({ path }: RecordFile, startedAt = ''): ServiceError => {
  const when = Date.parse(startedAt);
  return serviceError('OutcomeUnknown', {
    message:
      `Another run with this --job-key began to submit${Number.isNaN(when) ? '' : ` at ${startedAt}`} and wrote down no ` +
      'answer, so its job may exist. Nothing was submitted now.',
    hint:
      'If that run goes on, wait for its answer and run this again. Else look for the job with `promptwire queue`, or ' +
      'among the finished ones where the service shows them: if it is there, watch it with `promptwire follow ID`; only ' +
      `if it is not, delete ${path} and run this again.`,
    candidates: [],
    startedAt: Number.isNaN(when) ? 0 : when,
  });
};

const unusable =
  ({ path }: RecordFile) =>
  (error: unknown): never => {
    const code = errorCode(error) ?? String(error);
    throw new UsageError(`can't keep the record of --job-key in ${path}: ${code}; nothing was submitted`);
  };

/** Submits; with a job key, records the intent before and the id after. */
export const submitOnce = async <A extends { readonly promptId: string }>(
  session: Session,
  submission: TaskEither<ServiceError, A>,
  once: KeyedSubmission | undefined,
): Promise<A> => {
  await once?.begin();
  session.enterStage('submit');
  const answer = await submission();
  if (answer._tag === 'Left') {
    if (!mayBeAccepted.has(answer.left._tag)) await once?.refused();
    throw answer.left;
  }
  const accepted = answer.right;
  session.enterStage('watch', accepted.promptId);
  await once?.accepted(accepted.promptId).catch(() =>
    session.report({
      kind: 'warning',
      message:
        'the job key could not be written down: a later run with it will refuse to submit, and not find this job',
    }),
  );
  return accepted;
};

// Every other error means that nothing was sent or that the service refused it.
const mayBeAccepted: ReadonlySet<ServiceError['_tag']> = new Set(['OutcomeUnknown', 'Decode']);
