import {
  assign,
  type Assignment,
  parseAssignment,
  parseValue,
  placed,
  refuseLostNumbers,
} from '../input/assignment.js';
import type { Client, Dialect, Workflow } from '../../node.js';
import { type CommonFlags, orThrow, type Session } from '../run-command.js';
import { ephemeralWorkflow } from '../../workflow.js';
import { fetchDefinitions } from '../validation/check-workflow.js';
import type { FromFlags, RequestFlags, SavingFlags } from './common-options.js';
import { inputValue } from './upload.js';
import { lostNumbers, sourceOf } from '../input/read-json.js';
import { readGraphText, workflowOf } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { UsageError } from '../cli-io.js';

/** The options of `promptwire run`. */
export interface RunFlags extends CommonFlags, SavingFlags, FromFlags, RequestFlags {
  readonly set?: readonly string[];
  readonly upload?: readonly string[];
  readonly detach?: boolean;
  readonly ephemeral?: boolean;
  readonly jobKey?: string;
  readonly validate: boolean;
  readonly allowPaid?: boolean;
}

/** Uploads the files of a workflow, and names them in it. */
export const uploadAll = async (
  session: Session,
  upload: Client['rest']['uploadImage'],
  prepared: PreparedRun,
): Promise<PreparedRun> => {
  let { workflow } = prepared;
  for (const item of prepared.uploads) {
    const file = orThrow(await upload(item.value, { signal: session.stop })());
    session.report({ kind: 'uploaded', value: inputValue(file), ...file });
    workflow = assign(workflow, item, file);
  }
  return { ...prepared, workflow, uploads: [] };
};

/** A workflow ready for its uploads and submission. */
export interface PreparedRun {
  /** As the file has it. */
  readonly given: Workflow;
  readonly settings: readonly Assignment[];
  /** With `--set` applied, and the path of each file in the input that its upload will fill. */
  readonly workflow: Workflow;
  readonly uploads: readonly Assignment[];
  /** What a job key belongs to. Of a file of the editor the file itself, as each conversion may pick other dynamic prompts. */
  readonly identity: unknown;
}

/** Reads and checks the arguments before anything is sent. */
export const prepareRun = async (session: Session, file: string, flags: RunFlags): Promise<PreparedRun> => {
  const named = {
    settings: (flags.set ?? []).map((text) => parseAssignment('--set', text)),
    uploads: (flags.upload ?? []).map((text) => parseAssignment('--upload', text)),
  };
  const source = sourceOf(session, flags);
  const found = await readWorkflowFile(file, source);
  const { text } = found;
  const graph = readGraphText(found, { from: flags.from, warn: source.warn });
  const placesIn = (workflow: Workflow) => ({
    settings: named.settings.map((item) => placed(workflow, item)),
    uploads: named.uploads.map((item) => placed(workflow, item)),
  });
  const known = graph._tag === 'Api' ? placesIn(graph.workflow) : undefined;
  refuseLostNumbers(file, lostNumbers(text), [...(known?.settings ?? []), ...(known?.uploads ?? [])]);
  const given = await workflowOf(graph, session, {
    definitions: () => fetchDefinitions(session),
  });
  const { settings, uploads } = known ?? placesIn(given);
  const changed = settings.reduce((before, item) => assign(before, item, parseValue(item.value)), given);
  const workflow = uploads.reduce((before, item) => assign(before, item, item.value), changed);
  const { dialect = 'cloud' } = await session.settings();
  refuseRequests(flags, workflow, dialect);
  if (flags.ephemeral === true) refuseLeavings(workflow, dialect);
  const sent = graph._tag === 'Api' ? workflow : { file: graph.workflow, settings, uploads };
  const identity = flags.target === undefined ? sent : { sent, targets: flags.target };
  return { given, settings, workflow, uploads, identity };
};

/** Refuses what the submission can't ask for before an upload, which would stay at the service. */
const refuseRequests = (flags: RequestFlags, workflow: Workflow, dialect: Dialect): void => {
  const unknown = requestNames.find((name) => flags[name] !== undefined && !takenBy[dialect].includes(name));
  if (unknown !== undefined)
    throw new UsageError(`a server of the dialect ${dialect} takes no ${optionOf[unknown]}: leave it out`);
  const missing = (flags.target ?? []).filter((id) => !Object.hasOwn(workflow, id));
  if (missing.length > 0)
    throw new UsageError(`the workflow has no node ${missing.join(', ')}, which --target names`);
};

const optionOf = {
  target: '--target',
  front: '--front',
  label: '--label',
  previewMethod: '--preview-method',
} as const satisfies Record<keyof RequestFlags, string>;

const requestNames = Object.keys(optionOf) as readonly (keyof RequestFlags)[];

/** What a submission of each dialect takes. */
const takenBy: Readonly<Record<Dialect, readonly (keyof RequestFlags)[]>> = {
  cloud: ['target', 'front'],
  local: ['target', 'front', 'previewMethod'],
  v2: ['label'],
};

/** Refuses what `--ephemeral` can't have before an upload, which would stay at the service. */
const refuseLeavings = (workflow: Workflow, dialect: Dialect): void => {
  if (dialect === 'v2')
    throw new UsageError('a server of API v2 deletes no records of jobs: leave out --ephemeral');
  const errors = ephemeralWorkflow(workflow).problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const told = errors.map(({ message }) => message).join(' ');
  throw new UsageError(`${told} Take these nodes out of the workflow, or leave out --ephemeral`);
};
