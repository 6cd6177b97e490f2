import type { EngineRun, Told } from './play-engine.js';
import { markOf, mine } from './play-engine.js';
import { isJsonObject } from '../../../src/core/protocol/json/json.js';
import { isServiceError } from '../../../src/core/errors/service-error.js';
import { isTerminal } from '../../../src/core/state/job-state.js';
import type { LedgerJob } from '../../../src/emulator.js';
import { judgeSocketPictures, mayMissPictures } from './socket-pictures.js';
import { outputFiles } from '../../../src/core/state/output-files.js';
import type { Trouble } from './troubles.js';

/** What the engine's ledger says against what the client told of it. */
export interface Verdict {
  readonly wrongEnds: readonly string[];
  readonly lostOutputs: readonly string[];
  /** Jobs of strangers that the client ended, but for those of `inTheWindow`. */
  readonly touched: readonly string[];
  /**
   * Jobs of strangers that began on an engine which ignores the id of an interrupt, between the client's look at the queue and its
   * interrupt: nothing that a client can send would tell them apart.
   */
  readonly inTheWindow: number;
  /** Pictures that jobs which completed sent over the socket, and those of them that the client says it may lack. */
  readonly socketPictures: number;
  readonly missedPictures: number;
  /** Submissions of which the client says that it can't tell what became of them. */
  readonly unknown: number;
  /** What the client still held after its end. */
  readonly left: readonly string[];
}

/** Judges a run by the ledger alone: nothing that the client says of a job counts as a fact of it. */
export const judgeEngine = (run: EngineRun): Verdict => {
  const { told, held } = run;
  const strangers = strangersOf(run);
  return {
    wrongEnds: told.flatMap((one) => wrongEnd(run, one)),
    lostOutputs: told.flatMap((one) => lostOutputs(run, one)),
    ...strangers,
    ...countedPictures(run),
    unknown: told.filter(isUnknown).length,
    left: Object.entries(held).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what} are left`])),
  };
};

const jobsOf = ({ ledger }: EngineRun, index: number): readonly LedgerJob[] =>
  ledger.jobs.filter((job) => markOf(job) === mine(index));

const isUnknown = ({ last, error }: Told): boolean =>
  last?.phase === 'unknown' || (isServiceError(error) && error._tag === 'OutcomeUnknown');

const wrongEnd = (run: EngineRun, told: Told): readonly string[] => {
  const { job, last, error, isSettled } = told;
  const who = `job ${job.index} (${job.kind}, ${job.via})`;
  const own = jobsOf(run, job.index);
  const said = error === undefined ? (last?.phase ?? 'nothing') : shown(error);
  if (!isSettled) return [`${who} got no end: ${said}`];
  if (own.length > 1) return [`${who} was submitted ${own.length} times`];
  const [real] = own;
  const named = last?.promptId ?? '';
  if (named !== '' && named !== real?.promptId) return [`${who} was told of the job of another: ${named}`];
  if (error === undefined && (last === undefined || !isTerminal(last.phase)))
    return [`${who} completed without an end: ${said}`];
  if (isUnknown(told)) return mayBeUnknown(run) ? [] : [`${who} is unknown without a reason`];
  if (real === undefined) {
    const isRefusal = error !== undefined || last?.phase === 'failed';
    if (!isRefusal) return [`${who} is ${said}, and the engine never had it`];
    return isOwedARefusal(run, told) ? [] : [`${who} was not submitted: ${said}`];
  }
  const right = ends[real.state];
  return error === undefined && last?.phase === right
    ? []
    : [`${who} ended as ${right}, and is told as ${said}`];
};

const ends: Readonly<Record<LedgerJob['state'], string>> = {
  ...{ pending: 'no end', in_progress: 'no end', lost: 'untraceable' },
  ...{ completed: 'completed', failed: 'failed', cancelled: 'cancelled', deleted: 'cancelled' },
};

const shown = (error: unknown): string =>
  isServiceError(error) ? `${error._tag}: ${error.message}` : String(error);

const losing: readonly Trouble[] = [
  'loses submissions',
  'loses answers to submissions',
  'cuts answers to submissions',
  'answers submissions late',
];

/** Whether an answer to a submission may have been lost, so that nobody can tell what became of it. */
const mayBeUnknown = ({ engine }: EngineRun): boolean =>
  losing.some((trouble) => engine.troubles.includes(trouble));

const isOwedARefusal = (run: EngineRun, { job }: Told): boolean =>
  job.kind === 'an unknown class' ||
  (job.kind === 'a large workflow' && run.engine.options.switches?.maxPromptBytes !== undefined) ||
  run.engine.troubles.includes('loses submissions');

/**
 * Of a job that completed each file and each text that its nodes put out has to be there, and each picture that they sent over the
 * socket. Only a socket that was gone may take such pictures away, and then the job says that its outputs are not complete.
 */
const lostOutputs = (run: EngineRun, { job, last }: Told): readonly string[] => {
  const [real] = jobsOf(run, job.index);
  if (real?.state !== 'completed' || last?.phase !== 'completed') return [];
  const told = new Set(Object.entries(last.outputs).flatMap(([nodeId, node]) => elementsOf(nodeId, node)));
  const lost = Object.entries(real.outputs)
    .flatMap(([nodeId, node]) => elementsOf(nodeId, node))
    .filter((element) => !told.has(element));
  const given = new Set(
    outputFiles(last.outputs, last).map(({ nodeId, filename }) => `${nodeId} ${filename}`),
  );
  const unlisted = Object.entries(real.outputs)
    .flatMap(([nodeId, node]) =>
      Object.values(node ?? {})
        .flat()
        .flatMap((one) => fileIn(one).map((name) => `${nodeId} ${name}`)),
    )
    .filter((file) => !given.has(file));
  const pictures = judgeSocketPictures(last, job.socketPictures);
  const isOwedFewer = pictures.missing > 0 && !last.outputsComplete && mayMissPictures(run.engine.troubles);
  const missing = [
    ...pictures.wrong.map((told) => `job ${job.index} (${job.kind}) tells ${told}`),
    ...(pictures.missing === 0 || isOwedFewer
      ? []
      : [`job ${job.index} (${job.kind}) lacks ${pictures.missing} pictures of the socket`]),
    ...lost.map((element) => `job ${job.index} (${job.kind}) lacks ${element}`),
    ...unlisted.map((file) => `job ${job.index} (${job.kind}) gives no file ${file}`),
  ];
  return last.outputsComplete || isOwedFewer
    ? missing
    : [...missing, `job ${job.index} (${job.kind}) may lack outputs`];
};

const countedPictures = (run: EngineRun): Pick<Verdict, 'socketPictures' | 'missedPictures'> => {
  const pictures = run.told.flatMap(({ job, last }) =>
    last?.phase === 'completed' && job.socketPictures !== undefined
      ? [{ sent: job.socketPictures.count, ...judgeSocketPictures(last, job.socketPictures) }]
      : [],
  );
  return {
    socketPictures: pictures.reduce((sum, { sent }) => sum + sent, 0),
    missedPictures: pictures.reduce((sum, { missing }) => sum + missing, 0),
  };
};

/** The name of the file that an element of an output is, by the words of the engine's nodes: a descriptor, or a path of a model. */
const fileIn = (element: unknown): readonly string[] => {
  const named = isJsonObject(element) ? element['filename'] : element;
  const isFile =
    isJsonObject(element) || (typeof element === 'string' && /\.(?:glb|png)(?: \[\w+\])?$/u.test(element));
  return isFile && typeof named === 'string'
    ? [
        named
          .replace(/ \[\w+\]$/u, '')
          .split('/')
          .at(-1) ?? '',
      ]
    : [];
};

/** A text that names a 3D model is a descriptor in the jobs API of some engines: the text is its name. */
const asReported = (element: unknown): unknown =>
  isJsonObject(element) &&
  element['mediaType'] === '3d' &&
  element['subfolder'] === '' &&
  Object.keys(element).length === 4
    ? element['filename']
    : element;

const elementsOf = (nodeId: string, node: unknown): readonly string[] =>
  Object.entries(node ?? {}).flatMap(([key, list]: [string, unknown]) =>
    [list].flat().map((element) => JSON.stringify([nodeId, key, asReported(element)])),
  );

const strangersOf = (run: EngineRun): Pick<Verdict, 'touched' | 'inTheWindow'> => {
  const { engine, ledger, told } = run;
  const ended = ledger.jobs.filter(
    (job) => String(markOf(job)).startsWith('stranger') && job.state !== 'completed',
  );
  // The job that was to be cancelled had ended by itself when its interrupt came.
  const late = told.filter(
    ({ job: { index, cancels } }) =>
      cancels !== undefined &&
      jobsOf(run, index).some(({ state }) => state === 'completed' || state === 'failed'),
  ).length;
  const isOld = engine.options.engine === '0.3.40';
  const interrupted = isOld ? ended.filter(({ state }) => state === 'cancelled') : [];
  const inTheWindow = Math.min(interrupted.length, late, interruptsAfterALook(run));
  return {
    inTheWindow,
    touched: [...ended.filter((job) => !interrupted.includes(job)), ...interrupted.slice(inTheWindow)].map(
      (job) => `${String(markOf(job))} was ended as ${job.state}`,
    ),
  };
};

/** Interrupts with a look at the queue of their own before them. */
const interruptsAfterALook = ({ asked }: EngineRun): number => {
  let [looks, count] = [0, 0];
  for (const request of asked) {
    if (request === 'GET /api/queue') looks = 1;
    if (request !== 'POST /api/interrupt') continue;
    count += looks;
    looks = 0;
  }
  return count;
};
