import { type Client, type HistoryRecord, isTerminal, type Outputs } from '../../node.js';
import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import { finishJob } from './finish-job.js';
import { workflowOfRecord } from './ended-job.js';
import { saveOptions } from './save-outputs.js';
import { type SavingFlags, withConnection, withSaving, withTimeout } from './common-options.js';

interface OutputsFlags extends CommonFlags, SavingFlags {}

/** Adds `promptwire outputs`. */
export const addOutputs = (program: Command, runCommand: RunCommand): void => {
  withConnection(withTimeout(withSaving(program.command('outputs'))))
    .description(
      'Save the files of a job that is over, completed or not, and end with the exit code of the job.',
    )
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: OutputsFlags) =>
      runCommand(flags, async (session) => {
        const client = await session.connect();
        const history = await readHistory(session, client, promptId);
        if (history === undefined) return 'goesOn';
        const { phase = 'completed' } = history;
        const outputsComplete = await isComplete(session, client, history);
        const job = {
          ...history,
          phase,
          outputsComplete,
          nodes: displayNodes(history),
          workflow: workflowOfRecord(history),
        };
        return finishJob(session, client, job, saveOptions(flags));
      }),
    );
};

/** Reads the record of a job; undefined while the job runs, with or without a record. */
const readHistory = async (
  { stop, enterStage }: Session,
  { rest }: Client,
  promptId: string,
): Promise<HistoryRecord | undefined> => {
  const history = await rest.history(promptId, { signal: stop })();
  const settled =
    history._tag === 'Right' ? history.right.phase !== undefined : history.left._tag !== 'NotFound';
  if (settled) return orThrow(history);
  const status = await rest.jobStatus(promptId, { signal: stop })();
  if (status._tag === 'Left' || isTerminal(status.right.phase)) return orThrow(history);
  enterStage('watch', promptId);
  return undefined;
};

/** Whether the record of an ended job is complete: it has the end, and as many outputs as the jobs API counts. */
const isComplete = async (
  { stop }: Session,
  { rest }: Client,
  { promptId, phase, outputs, isFinal }: HistoryRecord,
): Promise<boolean> => {
  if (phase === undefined) return false;
  const detail = isFinal ? await rest.jobDetail(promptId, { signal: stop })() : undefined;
  const counted = detail?._tag === 'Right' ? detail.right.outputsCount : undefined;
  return counted === undefined || listed(outputs) >= counted;
};

/** The number of listed outputs, texts included, as some services count them. */
const listed = (outputs: Outputs): number =>
  Object.values(outputs)
    .flatMap((node) => Object.values(node))
    .filter((list) => Array.isArray(list))
    .flat().length;

/** Node id → the node of the submitted workflow that it belongs to, as the `meta` of a job's record says. */
export const displayNodes = ({
  record,
}: Pick<HistoryRecord, 'record'>): Readonly<Record<string, { readonly displayNodeId: string }>> =>
  Object.fromEntries(
    Object.entries(isObject(record['meta']) ? record['meta'] : {}).flatMap(([nodeId, meta]) =>
      isObject(meta) && typeof meta['display_node'] === 'string'
        ? [[nodeId, { displayNodeId: meta['display_node'] }]]
        : [],
    ),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
